/**
 * The usual spelling of a Windows path. Some programs write the long form of the system (`\\?\C:\a`), which is the same
 * file.
 */
export function usualPath(path: string): string {
  return path.replace(/^\\\\\?\\(?=[a-z]:\\)/i, '').replace(/^\\\\\?\\UNC(?=\\)/i, '\\');
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
