/**
 * Letters that look like Latin ones, by what they look like. No complete table of Unicode is needed: a word that mixes
 * alphabets is refused, so these only have to tell a word of another alphabet that looks like a Latin one as a whole.
 */
const looks: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'вьβƅ',
  c: 'сϲҫ',
  d: 'ԁɗ',
  e: 'еєεҽ',
  f: 'ϝƒ',
  g: 'ɡԍɢ',
  h: 'һнհη',
  j: 'јϳ',
  k: 'кκқ',
  l: 'і1ӏιıї|!ǀł',
  m: 'мϻ',
  n: 'пղո',
  o: '0оοσөøօ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гɾ',
  s: 'ѕꜱ$5',
  t: 'тτ',
  u: 'υսцʋ',
  v: 'ѵν',
  w: 'ԝшωѡ',
  x: 'хχ',
  y: 'уγүყ',
  z: 'ᴢζ2',
};
const lookOf = new Map(
  Object.entries(looks).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** Alphabets with letters that look like Latin ones. */
const otherAlphabets =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Glagolitic}\p{Script=Deseret}\p{Script=Osage}\p{Script=Georgian}\p{Script=Tifinagh}]/u;

/**
 * The same for two names that look alike. Case, accents, blanks and signs play no part, nor do letters of other
 * alphabets.
 */
export function nameKey(name: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase()].map((letter) => lookOf.get(letter) ?? letter).join('');
  return letters
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/**
 * Whether a name may have been made to be taken for another one: a word of two alphabets, or characters that cannot be
 * seen.
 */
export function isDeceptive(name: string): boolean {
  if (/[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(name)) return true;
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => /\p{Script=Latin}/u.test(word) && otherAlphabets.test(word));
}

/**
 * A name that nobody takes for another one: itself, or with an id where another one looks like it.
 * @param isTaken whether a key is that of another one
 */
export function distinctName(name: string, id: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(nameKey(name))) return name;
  const named = `${name} (${id})`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? named : `${named} ${number}`;
    if (!isTaken(nameKey(candidate))) return candidate;
  }
}
