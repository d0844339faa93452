import { gitDecisive } from './gitDecisive';
import { runnerProgram } from './runners';
import { programOf, type ShellCommand } from './shellCommand';
import { decidesWhatRuns } from './variables';

/**
 * How many words of a command, with the assignments before them, decide what else it runs: `python -c …`, a pager, a
 * program named to a runner. A pattern that allows must say them, word by word: a star there would stand for anything.
 * @returns undefined where it does only what its name says.
 */
export function decisiveWords(command: ShellCommand): number | undefined {
  const words = command.words.map(({ text }) => text);
  const program = programOf(command);
  const args = words.slice(1);
  let count = command.assignments.some(decidesWhatRuns) ? 0 : -1;
  const mark = (index: number) => (count = Math.max(count, Math.min(index + 1, words.length)));
  if (anyProgram.has(program)) mark(words.length);
  if (program === 'git') mark(gitDecisive(words));
  // `python3.11`, `gcc-12`.
  const family = program.replace(/(?<![-\d.])[-\d.]+$/, '');
  const options = Object.hasOwn(codeOptions, program) ? codeOptions[program] : Object.hasOwn(codeOptions, family) ? codeOptions[family] : undefined;
  const setsVariables = setters.has(program);
  for (const [index, word] of words.entries()) {
    if (index === 0) continue;
    // The value may cling to the option or be the next word.
    if (options?.test(word) || (!takenApart.has(program) && isCodeOption(word))) mark(word.includes('=') ? index : index + 1);
    if (setsVariables && word.includes('=') !== readers.has(program) && decidesWhatRuns(word)) mark(index);
  }
  const opened = Object.hasOwn(openedBy, program) ? openedBy[program] : undefined;
  if (opened && args.some((word) => opened.test(word))) mark(words.length);
  if (/^(npm|pnpm|yarn)$/.test(program) && args.filter((word) => !word.startsWith('-')).slice(0, 2).some((word) => packageSettings.test(word))) mark(words.length);
  if (/^(python|pypy)$/.test(family) && args.some((word) => /^(-m)?timeit$/.test(word))) mark(words.length);
  // `rbenv exec …`, `lerna exec …`; what runs in a container or at another machine is no program of this one.
  const operands = args.filter((word) => !word.startsWith('-')).slice(0, /^(npm|pnpm|yarn)$/.test(program) ? 4 : 1);
  if (operands.includes('exec') && !takesAnyWord.test(program) && runnerProgram([program, ...args]) === undefined) mark(words.length);
  if (program === 'pnpm') mark(pnpmProgram(words));
  if (/^[gmn]?awk$/.test(program)) mark(awkProgram(words));
  if (/^g?sed$/.test(program)) mark(sedScript(words));
  return count < 0 ? undefined : count;
}

/** To them `exec` is a word like any other, or something in a container. */
const takesAnyWord = /^(docker|podman|nerdctl|kubectl|docker-compose|oc|[ef]?grep|rg|ag|ack|findstr|select-string|cat|bat|echo|printf|ls|tree|find|fd|wc|head|tail|sort|uniq|cut|tr|jq|yq|mkdir|touch|rm|rmdir|mv|cp|cd|test|\[|node|python[\d.]*|which|type|whereis|stat|file|git|make|diff|sudo|command|expr|export|set)$/;

/** Their options are followed by `expandWrappers`. */
const takenApart: ReadonlySet<string> = new Set(['find', 'gfind', 'su', 'powershell', 'pwsh']);

/** They exist to run others, in ways that are too many to follow. */
const anyProgram: ReadonlySet<string> = new Set([
  ...['strace', 'ltrace', 'unshare', 'nsenter', 'chroot', 'flock', 'systemd-run', 'tmux', 'screen', 'at', 'batch', 'crontab', 'expect', 'unbuffer', 'rlwrap', 'hyperfine', 'entr', 'watchexec', 'nodemon', 'concurrently'],
  ...['nix-shell', 'nix', 'direnv', 'run-parts', 'start-stop-daemon', 'xvfb-run', 'firejail', 'bwrap', 'fakeroot', 'faketime', 'gosu', 'su-exec', 'runuser', 'sg', 'setpriv', 'capsh', 'busybox', 'toybox', 'taskset', 'chrt'],
  ...['numactl', 'prlimit', 'winpty', 'cross-env', 'cross-env-shell', 'dotenv', 'dbus-run-session', 'valgrind', 'perf', 'gdb', 'lldb', 'catchsegv', 'cpulimit', 'proot', 'runcon', 'ld.so', 'dumb-init', 'tini', 'chpst', 'zargs'],
  ...['chronic', 'sem', 'retry', 'wait-for-it', 'start-server-and-test', 'setarch', 'linux32', 'linux64', 'i386', 'x86_64', 'arch', 'cgexec', 'systemd-inhibit', 'systemd-cat', 'ifne', 'mispipe', 'pee', 'zrun', 'lckdo', 'sandbox-exec', 'wine', 'nyc', 'c8'],
  ...['env-cmd', 'dotenvx', 'op', 'doppler', 'sops', 'aws-vault', 'chamber', 'teller', 'infisical', 'pm2', 'forever', 'supervisor', 'cargo-watch', 'ansible'],
  ...['open', 'xdg-open', 'osascript', 'explorer', 'rundll32', 'regsvr32', 'mshta', 'wscript', 'cscript', 'msiexec', 'schtasks', 'wmic', 'forfiles', 'start', 'invoke-item', 'ii', 'invoke-command', 'icm', 'pcalua', 'wsl'],
  ...['enable', 'hash', 'bind', 'complete', 'compgen', 'fc', 'emulate', 'zmodload', 'autoload', 'repeat', 'noglob', 'nocorrect', 'setopt', 'shopt', 'functions', 'sched', 'zle', 'bindkey', '-'],
]);

/** They set variables for what comes behind them. */
const setters: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local', 'env', 'sudo', 'set', 'setenv', 'make', 'gmake', 'read', 'mapfile', 'readarray', 'printf', 'getopts', 'setx']);
/** Of those, what takes a bare name. */
const readers: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'printf', 'getopts', 'setx']);

/** Options with code, with programs, or with files of either. What is more than needed only asks more. */
const codeOptions: Readonly<Record<string, RegExp>> = {
  ...forEach(['python', 'python2', 'python3', 'pypy', 'pypy3'], /^-[A-Za-z]*c/),
  ...forEach(['node', 'nodejs', 'bun', 'tsx', 'ts-node'], /^(-[a-z]*[epr]|--(eval|print|require|import|loader|experimental-(loader|config-file)|env-file))/),
  deno: /^(eval|-[a-z]*[cr]|--(config|import-map|preload))/,
  ...forEach(['perl', 'ruby'], /^-[\w.:]*[eEMmIdrx]/),
  php: /^-([rBRFdzc]|-run|-process)/,
  ...forEach(['lua', 'luajit'], /^-[el]/),
  ...forEach(['rscript', 'r', 'groovy', 'scala', 'swift', 'raku', 'dc'], /^-(e|-expr)/),
  julia: /^-([eELp]|-eval|-print|-load)/,
  ...forEach(['rake', 'mix', 'iex', 'latexmk', 'ghc', 'ocaml', 'kotlinc', 'kotlin', 'clojure', 'clj', 'bb', 'babel-node', 'coffee', 'octave', 'ipython'], /^-(\w*[ec]|-eval)/),
  ...forEach(['tex', 'latex', 'pdftex', 'pdflatex', 'xelatex', 'lualatex'], /\\|^--?shell/),
  matlab: /^-(r|batch)/,
  rails: /^(r|runner)$/,
  ...forEach(['nano', 'pico'], /^(-s|--speller)/),
  ...forEach(['guile', 'racket', 'elixir', 'sbcl'], /^-(e|c|l|-eval|-load)/),
  emacs: /^--?(eval|execute|funcall|load|f|l|script|insert|batch)/,
  ...forEach(['vim', 'vi', 'nvim', 'view', 'ex', 'gvim'], /^(\+|-[A-Za-z]*[cSsuUE]|--cmd)/),
  ...forEach(['less', 'more', 'most'], /^(\+|-[A-Za-z]*[kK]|--lesskey)/),
  man: /^-[A-Za-z]*[PHECM]/,
  ...forEach(['tar', 'gtar', 'bsdtar'], /^(--(to-|ch|u[sn]|rs|rm|in|new-v)|-[A-Za-z]*[IFT]|[A-Za-z]*[IF][A-Za-z]*$)/),
  zip: /^(-[A-Za-z]*T|--unzip)/,
  cpio: /^--rs/,
  ...forEach(['ssh', 'scp', 'sftp', 'slogin'], /^-[A-Za-z0-9]*[oFSbD]/),
  rsync: /^(-[A-Za-z]*e|--rs)/,
  curl: /^(-[A-Za-z#]*K|--conf)/,
  wget: /^(-e|--exec|--conf|--use-a)/,
  ...forEach(['make', 'gmake', 'bmake'], /^(-[A-Za-z]*[fEI]|--(file|makefile|eval|include)|[\w.]+\s*[:+?!]*=)/),
  cmake: /^-([PEC]|D\w*(COMPILER|LAUNCHER|PROGRAM|COMMAND|LINKER|RULE))/,
  ctest: /^(-[SD]|--build)/,
  ...forEach(['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'], /^(-B|-wrapper|-f\w*plugin|--?specs|-Xclang|-fuse-ld|-f?load|@)/),
  go: /^--?(exec|toolexec|vettool|overlay|gccgo|modfile)|^(generate|env|tool)$/,
  cargo: /^(--config|-Z|\+|watch$|-s$)/,
  rustc: /^-(C|Z|-codegen)/,
  sort: /^--comp/,
  rg: /^--(pre|hostname-bin)/,
  fzf: /^--(preview|bind|expect)/,
  split: /^--fil/,
  tcpdump: /^-[A-Za-z]*z/,
  ip: /^(exec|-[A-Za-z]*b)/,
  ...forEach(['nc', 'ncat', 'netcat'], /^(-[A-Za-z]*[ec]|--(sh-|lua-)?exec)/),
  java: /^-(javaagent|agentlib|agentpath|XX:On|XX:Flags|@)/,
  ...forEach(['mvn', 'mvnw'], /^-D?(exec|Dexec|f)/),
  ...forEach(['gradle', 'gradlew'], /^(-[IbcP]|--(init|build-file|settings))/),
  ...forEach(['npm', 'pnpm', 'yarn'], /^--(script-shell|node-options?|userconfig|globalconfig|git|editor|browser|viewer|init-module|use-yarnrc|node-linker|pnpmfile|config-dir|shell-mode|call)|^-[a-z]*c$/),
  mapfile: /^-\w*C/,
  readarray: /^-\w*C/,
};

/** What changes how scripts are run later, or runs something itself. */
const packageSettings = /^(config|set|pkg|set-script|plugin|explore|edit|node)$/;

/** Words with which a program does more than its name says, wherever they stand. */
const openedBy: Readonly<Record<string, RegExp>> = {
  gh: /^(alias|extension)$/,
  ...forEach(['psql', 'mysql', 'mariadb', 'sqlite3', 'sqlite', 'mongosh', 'redis-cli'], /\\|!|(^|[\s;])(\.\w+|system|source|eval)\b|\b(program|load_extension|writefile|edit)\b/i),
  socat: /(exec|system|shell):/i,
  docker: /^--(privileged|pid|cap-add|device|security-opt)/,
};

function forEach(names: readonly string[], options: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.map((name) => [name, options]));
}

const codeNames: ReadonlySet<string> = new Set(['exec', 'execute', 'command', 'cmd', 'eval', 'shell', 'pager', 'editor', 'rsh', 'hook', 'preload', 'javaagent', 'agentlib', 'plugin', 'launcher', 'wrapper', 'script', 'program', 'askpass', 'sendmail', 'renderer']);

/** A long option whose name says that a program or code follows, whoever takes it. */
function isCodeOption(word: string): boolean {
  if (!/^--?[a-z]{3}/i.test(word) || /^--?(no|ignore|disable|skip|list|show|help)-/.test(word)) return false;
  // A list of files is as good as a program: what it names nobody has seen.
  if (/^--(files0?-from|pathspec-from|from-file|file-list)/.test(word)) return true;
  return word.replace(/^--?/, '').replace(/=.*/s, '').toLowerCase().split('-').some((part) => codeNames.has(part));
}

const pnpmVerbs = /^(install|i|ci|add|remove|rm|un|uninstall|update|up|upgrade|outdated|ls|list|ll|la|why|audit|licenses|run|run-script|test|t|tst|start|stop|restart|publish|pack|link|ln|unlink|dislink|import|rebuild|rb|prune|fetch|dedupe|store|root|bin|init|env|config|c|setup|server|deploy|patch|patch-commit|exec|dlx|create|help|version|doctor|approve-builds|recursive|multi|m)$/;

/** @returns the index of the word that pnpm takes for a script or, where there is none of that name, for any program; -2 where it is a word of its own. */
function pnpmProgram(words: readonly string[]): number {
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-') && !/^(-C|--dir|-F|--filter|--prefix)$/.test(words[index - 1]!));
  return at < 0 || pnpmVerbs.test(words[at]!) ? -2 : at;
}

/** @returns the index of the last word that makes a program of awk's do more than compute; -2 where none does. */
function awkProgram(words: readonly string[]): number {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (/^-[Fv]$/.test(word)) at++;
    else if (/^(-[A-Za-z]*[fEileD]|--(?!field-sep|assign|version|help))/.test(word) && !/^-[Fv]/.test(word)) return words.length;
    else if (!word.startsWith('-')) return /system|getline|[|>@]|close|extension|ARG[VC]/.test(word) ? at : -2;
  }
  return -2;
}

/** Commands of sed that only change lines, with their addresses; `e`, `w`, `r` and flags of that name are none. */
const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const harmlessSed = new RegExp(String.raw`^(?: ?(?:${address}(?:,[+~]?${address})?)? ?!? ?(?:[pdqPDNnGgHhx=]|s([/|#,:@!])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*) ?(?:[;\n]|$))+$`);

/** @returns the index of the last word of a script of sed's that may run, read or write something; -2 where none does. */
function sedScript(words: readonly string[]): number {
  let last = -2;
  let hasOption = false;
  const script = (text: string, index: number) => {
    if (text.length > 500 || !harmlessSed.test(text.replaceAll(/[ \t]+/g, ' '))) last = index;
  };
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const attached = /^(?:-[nErsuz]*e|--e[a-z]*=)(.+)$/s.exec(word)?.[1];
    if (/^(-[A-Za-z]*(f|l$)|--(f|script|l))/.test(word)) return words.length;
    if (attached !== undefined || /^(-[nErsuz]*e|--e[a-z]*)$/.test(word)) {
      hasOption = true;
      script(attached ?? words[at + 1] ?? '', attached === undefined ? ++at : at);
    }
  }
  const first = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  // On macOS what follows `-i` is the ending of the copies, and the script the word after it.
  if (!hasOption && first > 0) for (const index of words[first - 1] === '-i' ? [first, first + 1] : [first]) if (index === first || words[first] === '') script(words[index] ?? '', index);
  return last;
}
