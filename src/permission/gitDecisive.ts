/** Settings that only change how git's answers look, or who is named in a commit. */
const harmlessSettings = /^(color\.[\w.]+|advice\.\w+|user\.(name|email)|core\.(quotepath|autocrlf|safecrlf|pager=(cat|less)?$)|commit\.gpgsign|tag\.gpgsign|pager\.\w+=(false|true|cat)$|init\.defaultbranch|rebase\.\w+=(true|false)$|http\.\w+=\d+$)/i;

/** Options that name a program, by subcommand. Git takes their beginnings as well. */
const programOptions: Readonly<Record<string, RegExp>> = {
  rebase: /^(-[a-zA-Z]*x|--ex)/,
  grep: /^(-[a-zA-Z]*O|--op)/,
  fetch: /^--up/,
  pull: /^--up/,
  'ls-remote': /^--(up|ex)/,
  clone: /^(-[a-zA-Z]*[uc]|--(up|con|te))/,
  push: /^--(rec|ex)/,
  archive: /^--(ex|rem)/,
  init: /^--te/,
  difftool: /^(-[a-zA-Z]*[xt]|--(ex|to))/,
  mergetool: /^(-[a-zA-Z]*t|--to)/,
  ...{ merge: /^(-s|--str)/, 'cherry-pick': /^--str/, revert: /^--str/ },
  diff: /^--ext/,
  log: /^--ext/,
  show: /^--ext/,
};
/** Subcommands that run what they are given, or store what a later one will. */
const anything = /^(config|filter-branch|send-email|instaweb|web--browse|hook|credential|daemon|fast-import|remote-ext|upload-pack|receive-pack|shell|sh-setup)$/;

/**
 * Which words of a git command decide what it runs besides git.
 * @returns the index of the last of them; -2 where there is none.
 */
export function gitDecisive(words: readonly string[]): number {
  let last = -2;
  let at = 1;
  for (; at < words.length && words[at]!.startsWith('-'); at++) {
    const word = words[at]!;
    if (/^-c./.test(word)) last = at;
    else if (word === '-c') {
      at++;
      if (!harmlessSettings.test(words[at] ?? '')) last = at;
    } else if (/^--(config-env|exec-path|git-dir|super-prefix)/.test(word)) last = word.includes('=') ? at : ++at;
    else if (/^(-C|--work-tree|--namespace|--attr-source)$/.test(word)) at++;
  }
  const verb = words[at] ?? '';
  const rest = words.slice(at + 1);
  if (rest.some((word) => /(^|=)ext::/.test(word))) return words.length;
  if (anything.test(verb) && !(verb === 'config' && rest.some((word) => /^(--get(-\w+)?|--list|-l|get|list)$/.test(word)))) return words.length;
  if ((verb === 'bisect' && rest[0] === 'run') || (verb === 'submodule' && rest.includes('foreach'))) return words.length;
  const options = Object.hasOwn(programOptions, verb) ? programOptions[verb] : undefined;
  for (const [index, word] of rest.entries()) if (options?.test(word)) last = at + 1 + index + (word.includes('=') ? 0 : 1);
  return last;
}
