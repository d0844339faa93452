/** A language as an extension declares it to VS Code. */
export interface DeclaredLanguage {
  readonly id: string;
  readonly extensions?: readonly string[];
}

/** Characters of a proposed name. */
const longest = 100;

/**
 * The file name to propose for a block of code: the name in its info string, else one with the ending of its language.
 * The agent writes both, so only the last part of a path is used, and only if it is a plain name.
 * @param language VS Code's id of it, if it is known
 */
export function codeFileName(
  info: string,
  language: string | undefined,
  declared: readonly DeclaredLanguage[],
): string {
  return nameIn(info) ?? `untitled${endingOf(/^[^\s,{:]*/.exec(info)![0].toLowerCase(), language, declared)}`;
}

const named = /(?:^|[\s{,])(?:title|file|filename|name|path)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s,}]+))/i;

/** `ts src/app.ts`, `ts title="src/app.ts"`, `src/app.ts`, `10:20:src/app.ts` */
function nameIn(info: string): string | undefined {
  const [, ...quoted] = named.exec(info) ?? [];
  const words = info.split(/[\s,{}]+/).filter((word) => /^[^=]*\.\w{1,10}$/.test(word));
  const path = quoted.find((text) => text !== undefined) ?? words[0];
  const name = path?.replace(/^.*[/\\:]/, '');
  return name !== undefined &&
    name.length <= longest &&
    /^[\p{L}\p{N}._@+()-][\p{L}\p{M}\p{N} ._@+()-]*$/u.test(name) &&
    /[^.]$/.test(name)
    ? name
    : undefined;
}

/** Agents call a language by an ending of its files as often as by its name. */
function endingOf(name: string, language: string | undefined, declared: readonly DeclaredLanguage[]): string {
  const own = `.${name}`;
  if (declared.some(({ extensions }) => extensions?.includes(own))) return own;
  return declared.find(({ id, extensions }) => id === language && extensions?.length)?.extensions![0] ?? '.txt';
}
