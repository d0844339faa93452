import nodePath from 'node:path';

/**
 * True if Windows can have a file of this name and opens no other one by it: no device (`NUL`, `con.txt`), no stream of
 * another file (`a.txt:b`), and no dots or blanks at the end, which it would drop.
 */
export function isWindowsName(name: string): boolean {
  return !/[<>:"/\\|?*\x00-\x1f]|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?: *[.:]|$)/i.test(
    name,
  );
}

/** The same for each name in a path. @param path absolute, of Windows */
export function hasWindowsNames(path: string): boolean {
  const normal = nodePath.win32.normalize(path);
  const names = normal.slice(nodePath.win32.parse(normal).root.length).split('\\');
  return names.every((name) => name === '' || isWindowsName(name));
}
