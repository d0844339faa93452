/** Paths in the form that a query is compared with. Built once per listing; about 200 bytes per path. */
export interface PathList {
  /** `/`-separated, as shown. Folders have no slash at their end. */
  readonly paths: readonly string[];
  readonly isFolder: (index: number) => boolean;
  readonly lower: readonly string[];
  readonly nameStart: Int32Array;
  /** The letters and digits of each path, one bit each; this alone excludes most paths. */
  readonly letters: Int32Array;
}

/** Scores for the kinds of match; the steps are too large for a difference in length to matter. */
const nameIs = 9_000;
const nameStarts = 8_000;
const nameHasWord = 7_000;
const nameHas = 6_000;
const nameHasLetters = 5_000;
const pathHasFolder = 4_000;
const pathHas = 3_000;
const pathHasLetters = 1_000;
const noMatch = -1;

/** @param folderFrom index of the first folder; files come before it. */
export function pathList(paths: readonly string[], folderFrom: number): PathList {
  const lower = paths.map((path) => path.toLowerCase());
  const nameStart = new Int32Array(paths.length);
  const letters = new Int32Array(paths.length);
  for (let i = 0; i < paths.length; i++) {
    nameStart[i] = paths[i]!.lastIndexOf('/') + 1;
    letters[i] = lettersOf(lower[i]!);
  }
  return { paths, isFolder: (index) => index >= folderFrom, lower, nameStart, letters };
}

/**
 * The best matches for a user's query, best first: in the name before in the path, whole before scattered, at the start
 * of a word before inside, short before long. Words separated by spaces must all occur. Fast enough for 100,000 paths
 * per keystroke; a general fuzzy search needs 20 times as long.
 * @param bonus added to the score of some indexes, for recently used files.
 */
export function matchPaths(
  list: PathList,
  query: string,
  limit: number,
  bonus: ReadonlyMap<number, number> = new Map(),
): number[] {
  const words = query.toLowerCase().replaceAll('\\', '/').split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const wanted = lettersOf(words.join(''));
  const best: { index: number; score: number }[] = [];
  let worst = 0;
  for (let index = 0; index < list.paths.length; index++) {
    if ((list.letters[index]! & wanted) !== wanted) continue;
    let score = 0;
    for (const word of words) {
      const one = scoreOf(list, index, word);
      if (one === noMatch) {
        score = noMatch;
        break;
      }
      score += one;
    }
    if (score === noMatch) continue;
    score =
      score / words.length -
      Math.min(list.paths[index]!.length, 400) +
      (bonus.get(index) ?? 0) -
      (list.isFolder(index) ? 50 : 0);
    if (best.length === limit && score <= worst) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.score < score) at--;
    best.splice(at, 0, { index, score });
    if (best.length > limit) best.pop();
    worst = best[best.length - 1]!.score;
  }
  return best.map(({ index }) => index);
}

function scoreOf(list: PathList, index: number, word: string): number {
  const path = list.lower[index]!;
  const nameStart = list.nameStart[index]!;
  const at = path.indexOf(word, nameStart);
  if (at !== -1) {
    const end = at + word.length;
    if (at === nameStart) return end === path.length || path[end] === '.' ? nameIs : nameStarts;
    return isWordStart(list.paths[index]!, at) ? nameHasWord : nameHas;
  }
  if (!word.includes('/')) {
    const spread = spreadOf(path, word, nameStart);
    if (spread !== noMatch) return nameHasLetters - Math.min(spread * 20, 900);
  }
  const inPath = path.indexOf(word);
  if (inPath !== -1) return inPath === 0 || path[inPath - 1] === '/' ? pathHasFolder : pathHas;
  const spread = spreadOf(path, word, 0);
  return spread === noMatch ? noMatch : pathHasLetters - Math.min(spread * 5, 900);
}

/** Number of gaps when the letters of `word` are matched in order from `from` on; -1 if they do not all occur. */
function spreadOf(path: string, word: string, from: number): number {
  let gaps = 0;
  let at = from;
  for (let i = 0; i < word.length; i++) {
    const next = path.indexOf(word[i]!, at);
    if (next === -1) return noMatch;
    if (next !== at && i > 0) gaps++;
    at = next + 1;
  }
  return gaps;
}

function isWordStart(path: string, at: number): boolean {
  const before = path.charCodeAt(at - 1);
  const here = path.charCodeAt(at);
  const isUpper = here >= 65 && here <= 90;
  const beforeIsLetter =
    (before >= 97 && before <= 122) || (before >= 65 && before <= 90) || (before >= 48 && before <= 57);
  return !beforeIsLetter || (isUpper && !(before >= 65 && before <= 90));
}

function lettersOf(lower: string): number {
  let bits = 0;
  for (let i = 0; i < lower.length; i++) {
    const code = lower.charCodeAt(i);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << 26;
  }
  return bits;
}
