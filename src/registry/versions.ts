/**
 * Release numbers, then a pre-release, a post-release of Python and build metadata: "1.0.0-rc.1+5", "1.0rc1",
 * "1.0.post2".
 */
const form =
  /^(\d{1,15}(?:\.\d{1,15}){0,5})(?![\d])([.-]?(?!post)[0-9A-Za-z]+(?:[.-](?!post)[0-9A-Za-z]+)*)??(?:\.post(\d{1,15}))?(?:\+[\w.-]+)?$/;

/** True if a text is a version that can be compared and is safe as a folder name. */
export function isVersion(text: string): boolean {
  return text.length <= 64 && form.test(text);
}

/**
 * Compares two versions by the rules of semantic versioning: a pre-release comes before its release, build metadata
 * does not count. A post-release of Python comes after its release.
 * @returns below 0 if `left` is older
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  for (let at = 0; at < Math.max(a.release.length, b.release.length); at++) {
    const difference = (a.release[at] ?? 0) - (b.release[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(a.preRelease, b.preRelease) || a.post - b.post;
}

/** True if `version` is newer than another one. */
export function isNewer(version: string, than: string): boolean {
  return compareVersions(version, than) > 0;
}

interface Parts {
  readonly release: readonly number[];
  /** Empty for a release. */
  readonly preRelease: readonly string[];
  readonly post: number;
}

function partsOf(version: string): Parts {
  const [, release = '0', words, post] = form.exec(version) ?? [];
  // "rc10" comes after "rc9".
  const preRelease =
    words === undefined
      ? []
      : words
          .replace(/^[.-]/, '')
          .replace(/^(a|b|rc|dev)(\d)/, '$1.$2')
          .split('.');
  return { release: release.split('.').map(Number), preRelease, post: post === undefined ? -1 : Number(post) };
}

function comparePreReleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [a, b] = [left[at], right[at]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a === b) continue;
    const areNumbers = [a, b].map((part) => /^\d+$/.test(part));
    if (areNumbers[0] && areNumbers[1]) return Number(a) - Number(b);
    // A number comes before a word.
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}
