/** Programs that run another program, named after one of these words, or right after them if the list is empty. */
const runners: Readonly<Record<string, readonly string[]>> = {
  ...{ npx: [], pnpx: [], bunx: [], uvx: [] },
  ...{
    npm: ['exec', 'x', 'init', 'innit', 'create'],
    pnpm: ['exec', 'dlx', 'create'],
    yarn: ['exec', 'dlx', 'create'],
    bun: ['x', 'exec', 'run', 'create'],
    deno: ['run'],
    go: ['run'],
  },
  ...{
    uv: ['run', 'tool run'],
    poetry: ['run'],
    pipenv: ['run'],
    pdm: ['run'],
    hatch: ['run'],
    rye: ['run'],
    pipx: ['run'],
    conda: ['run'],
    mamba: ['run'],
    micromamba: ['run'],
  },
  ...{
    bundle: ['exec'],
    composer: ['exec'],
    rustup: ['run'],
    mise: ['exec', 'x'],
    dotnet: ['tool run'],
    pixi: ['run'],
    devbox: ['run'],
    volta: ['run'],
  },
};
/** Their options without a value. */
const valueless =
  /^(-[yqsvAn]|--(yes|no|quiet|silent|verbose|no-install|no-sync|frozen|locked|isolated|offline|prefer-offline|bun|allow-all|dev))$/;

/**
 * Finds the word that names the program of a runner.
 * @param words the runner's own name, without folder, first.
 * @returns its index; `line` if it is text for a shell; undefined if this is not such a call.
 */
export function runnerProgram(words: readonly string[]): number | 'line' | undefined {
  const [program = ''] = words;
  if (!Object.hasOwn(runners, program)) return undefined;
  const operands = words
    .map((word, index) => ({ word, index }))
    .filter(({ word, index }) => index > 0 && !word.startsWith('-'));
  const verbs = runners[program]!;
  const spelled = verbs.find((verb) => verb.split(' ').every((part, index) => operands[index]?.word === part));
  // After an option, the first word may be its value, and the second the verb.
  if (verbs.length > 0 && spelled === undefined)
    return words[1]?.startsWith('-') && verbs.includes(operands[1]?.word ?? '') ? 'line' : undefined;
  let at = spelled === undefined ? 1 : operands[spelled.split(' ').length - 1]!.index + 1;
  if (program === 'rustup') at++;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') return at + 1 < words.length ? at + 1 : undefined;
    if (/^(-[a-z]*c|--call|--shell-mode)(=|$)/.test(word)) return 'line';
    if (!word.startsWith('-')) return at;
    if (!word.includes('=') && !valueless.test(word)) at++;
  }
  return undefined;
}
