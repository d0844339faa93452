/**
 * The usual spelling of a Windows path. Some programs write the long form of the system (`\\?\C:\a`), which is the same
 * file.
 */
export function usualPath(path: string): string {
  return path.replace(/^\\\\\?\\(?:(?=[a-z]:\\)|(UNC\\))/i, (_all, share: string | undefined) => (share ? '\\\\' : ''));
}

/**
 * True if Windows can have a file of this name and opens no other one by it: no device (`NUL`, `con.txt`), no stream of
 * another file (`a.txt:b`), and no dots or blanks at the end, which it would drop.
 */
export function isWindowsName(name: string): boolean {
  return !/[<>:"/\\|?*\x00-\x1f]|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?: *[.:]|$)/i.test(
    name,
  );
}

/**
 * Equal for all names that may be one file where case does not count, for deciding what to protect. Besides case, macOS
 * ignores how accents are stored; APFS takes `ſ` for `s` and `ﬁ` for `fi`; HFS+ skips characters without width.
 */
export function foldedName(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  return name
    .replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase();
}
