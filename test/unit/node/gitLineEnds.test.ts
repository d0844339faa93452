import { expect, it } from 'vitest';
import { type GitLineEnds, onDisk } from '../../../src/node/gitLineEnds';

const none = { text: 'unspecified', eol: 'unspecified' };
const auto = { text: 'auto', eol: 'unspecified' };
const native: GitLineEnds = { autocrlf: false, eol: undefined };

it.each<[attributes: typeof none, settings: GitLineEnds, linux: string, windows: string]>([
  [none, native, 'a\n', 'a\n'],
  [auto, native, 'a\n', 'a\r\n'],
  [auto, { autocrlf: false, eol: 'lf' }, 'a\n', 'a\n'],
  [auto, { autocrlf: 'input', eol: undefined }, 'a\n', 'a\n'],
  [none, { autocrlf: true, eol: undefined }, 'a\r\n', 'a\r\n'],
  [{ ...auto, eol: 'crlf' }, native, 'a\r\n', 'a\r\n'],
  [{ ...auto, eol: 'lf' }, { autocrlf: true, eol: undefined }, 'a\n', 'a\n'],
])('a file with %j under %j ends its lines as git does on each system', (attributes, settings, linux, windows) => {
  const ends = (platform: NodeJS.Platform) => onDisk(Buffer.from('a\n'), attributes, settings, platform).toString();
  expect([ends('linux'), ends('darwin'), ends('win32')]).toEqual([linux, linux, windows]);
});
