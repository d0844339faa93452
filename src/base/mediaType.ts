/** Image types that every agent with images understands; other types have ended turns. */
export const sendableImages: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Offset and bytes at which a format is recognized, one character per byte. */
const signatures: readonly (readonly [type: string, ...marks: readonly (readonly [at: number, bytes: string])[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
  ['image/heic', [4, 'ftyphei']],
  ['image/heic', [4, 'ftypmif1']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/x-icon', [0, '\0\0\x01\0']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/mpeg', [0, '\xff\xf3']],
  ['audio/mpeg', [0, '\xff\xf2']],
  ['audio/aac', [0, '\xff\xf1']],
  ['audio/aac', [0, '\xff\xf9']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['application/pdf', [0, '%PDF-']],
  // "BM" alone could begin a text, so also check the zeros after a bitmap's size in bytes 2 to 5.
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
];

/** Bytes of a file that are enough to recognize its type. */
export const sniffLength = 1_024;

/** Recognizes a file's type by its first bytes, not its name; `undefined` for text and unknown types. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const found = signatures.find(([, ...marks]) =>
    marks.every(([at, mark]) => [...mark].every((character, i) => bytes[at + i] === character.charCodeAt(0))),
  );
  return found?.[0] ?? (isSvg(bytes) ? 'image/svg+xml' : undefined);
}

function isSvg(bytes: Uint8Array): boolean {
  let head = '';
  for (const byte of bytes.subarray(0, sniffLength)) head += String.fromCharCode(byte);
  let rest = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  // One at a time: a pattern for all of them may try each way to divide the comments.
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(/^<!--[^]*?-->|^<(?:\?xml|!DOCTYPE svg)[^>]*>/i, '').trimStart();
  }
  return /^<svg[\s>]/i.test(rest);
}
