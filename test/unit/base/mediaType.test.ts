import { describe, expect, it } from 'vitest';
import { sniffMediaType } from '../../../src/base/mediaType';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('what a file is, by its bytes', () => {
  it.each([
    ['\x89PNG\r\n\x1a\nrest', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['GIF87a', 'image/gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'audio/wav'],
    ['RIFF\x10\0\0\0AVI LIST', undefined],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['\0\0\0\x18ftypheic', 'image/heic'],
    ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
    ['II*\0\x08', 'image/tiff'],
    ['BM\x36\x10\x0e\0\0\0\0\0', 'image/bmp'],
    ['BMW builds cars', undefined],
    ['ID3\x04', 'audio/mpeg'],
    ['\xff\xfb\x90', 'audio/mpeg'],
    ['OggS', 'audio/ogg'],
    ['fLaC', 'audio/flac'],
    ['%PDF-1.7', 'application/pdf'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml'],
    ['\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made by hand -->\n<svg>', 'image/svg+xml'],
    ['<p>about <svg> elements</p>', undefined],
    ['const a = 1;', undefined],
    ['', undefined],
    ['\x89PN', undefined],
  ])('%j is %s', (text, type) => expect(sniffMediaType(bytes(text))).toBe(type));
});
