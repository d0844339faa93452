/**
 * Letters that look like Latin ones. The table need not be complete: a word that mixes alphabets is refused, so it only
 * has to recognize whole words of another alphabet that look Latin.
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
 * Gives names that look alike the same key. Ignores case, accents, blanks, signs and the alphabet of similar letters.
 */
export function nameKey(name: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase()].map((letter) => lookOf.get(letter) ?? letter).join('');
  return letters
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** True if a name may imitate another one: it has a word of two alphabets, or invisible characters. */
export function isDeceptive(name: string): boolean {
  if (/[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(name)) return true;
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => /\p{Script=Latin}/u.test(word) && otherAlphabets.test(word));
}

/**
 * A name that cannot be confused with another: the name itself, or with its id if a similar one exists.
 * @param isTaken whether a key belongs to another name
 */
export function distinctName(name: string, id: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(nameKey(name))) return name;
  const named = `${name} (${id})`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? named : `${named} ${number}`;
    if (!isTaken(nameKey(candidate))) return candidate;
  }
}
