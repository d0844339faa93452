/** Programs that run the program whose name follows, behind one of these words where there are any. */
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
/** Options of theirs that take no value. */
const valueless =
  /^(-[yqsvAn]|--(yes|no|quiet|silent|verbose|no-install|no-sync|frozen|locked|isolated|offline|prefer-offline|bun|allow-all|dev))$/;

/**
 * Which word names the program that a runner runs.
 * @param words the runner's own name, without folder, first.
 * @returns its index; `line` where text for a shell stands in its place; undefined where it is no such call.
 */
export function runnerProgram(words: readonly string[]): number | 'line' | undefined {
  const [program = ''] = words;
  if (!Object.hasOwn(runners, program)) return undefined;
  const operands = words
    .map((word, index) => ({ word, index }))
    .filter(({ word, index }) => index > 0 && !word.startsWith('-'));
  const verbs = runners[program]!;
  const spelled = verbs.find((verb) => verb.split(' ').every((part, index) => operands[index]?.word === part));
  // Behind an option the first word may be its value, and the verb the second.
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
