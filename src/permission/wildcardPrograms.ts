import { systemName, type ShellCommand } from './shellCommand';

/**
 * The words that a wildcard may stand for after a program. A program that is not listed must be spelled out in a rule,
 * and so must an option that is not listed. So a wildcard never covers a program, option or spelling that Parley does
 * not know.
 */
interface WildcardProgram {
  /** The first words, if only some of its commands are covered. */
  readonly verbs?: readonly string[];
  /** Must match all its words, joined by blanks. */
  readonly check?: RegExp;
  /** Must match each word that begins with `-`. If absent, all are covered. */
  readonly options?: RegExp;
  /** Must match each other word. If absent, all are covered. */
  readonly operands?: RegExp;
}

/**
 * @param letters a class of short options that may be combined; other characters may not even be part of a combined
 * value.
 * @param names long options in full: `name=` may have a value. `--` alone is one of them.
 */
function options(letters: string, names = ''): RegExp {
  const long = names
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) => (name === '--' ? '' : name.replace(/=$/, '(?:=.*)?')));
  return new RegExp(`^(?:-[${letters}]+${long.length > 0 ? `|--(?:${long.join('|')})` : ''})$`, 's');
}
const anything: WildcardProgram = {};
const none = /^(?!)/;
const words = (list: string) => list.split(',').map((words) => words.trim().replaceAll(/\s+/g, ' '));
const named = (names: string, program: WildcardProgram) =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, program]));

/** Programs that start no other program, and write only to files that their words name. */
const tools: Readonly<Record<string, WildcardProgram>> = {
  ...named(
    'cat head tail grep egrep fgrep cut tr nl jq ls pwd cd echo true false basename dirname realpath readlink ' +
      'stat cmp comm',
    anything,
  ),
  ...named(
    'cksum md5sum sha1sum sha256sum sha512sum seq sleep whoami id uname tac rev fold paste expand unexpand od ' +
      'which df ps dir type',
    anything,
  ),
  ...named('rm rmdir mkdir touch cp mv ln chmod', anything),
  ...named('get-childitem get-content get-item get-location test-path select-string', anything),
  date: { options: options('uRIdjnrv0-9', 'utc universal iso-8601= rfc-3339= rfc-email date=') },
  diff: {
    options: options(
      'abBcdeEiHNpPqrstTuUwWyxC0-9',
      `
    brief unified= context= recursive side-by-side color= ignore-all-space ignore-space-change ignore-blank-lines
    ignore-case suppress-common-lines new-file text minimal`,
    ),
  },
  du: { options: options('achklmsxHLPSd0-9', 'all human-readable summarize total max-depth= apparent-size') },
  ...named('fd fdfind', {
    options: options(
      '0-9aAcdeEgFHiIjLpqstuS',
      `
      hidden no-ignore unrestricted case-sensitive ignore-case glob fixed-strings absolute-path follow full-path
      max-depth= min-depth= type= extension= exclude= size= color= changed-within= changed-before= max-results= quiet`,
    ),
  }),
  file: { options: options('biLhkr', 'brief mime mime-type mime-encoding') },
  find: {
    options:
      /^-(H|L|P|i?name|i?path|i?wholename|i?regex|regextype|x?type|maxdepth|mindepth|depth|size|empty|[acm](time|min)|newer([aBcmt]{2})?|[ac]newer|perm|user|group|uid|gid|nouser|nogroup|links|inum|samefile|readable|writable|executable|xdev|mount|prune|print0?|printf|ls|quit|not|o|or|a|and|true|false|follow|daystart|delete|\d+[cwbkMGdhms]?)$/,
  },
  rg: {
    options: options(
      'a-yA-Z0-9',
      `
      -- files type= type-not= glob= iglob= hidden no-ignore no-ignore-vcs unrestricted follow count count-matches
      files-with-matches files-without-match ignore-case case-sensitive smart-case word-regexp line-regexp line-number
      no-line-number with-filename no-filename max-count= context= after-context= before-context= json multiline
      multiline-dotall pcre2 sort= sortr= stats fixed-strings regexp= only-matching replace= heading no-heading color=
      vimgrep max-depth= invert-match null trim column text`,
    ),
  },
  sed: { check: /^-n \d+(,(\d+|\$))?p( |$)/, options: /^-n$/ },
  sort: {
    options: options(
      'bdfghiMnRrVcCmsuzkt0-9.',
      `
    reverse unique numeric-sort human-numeric-sort version-sort general-numeric-sort ignore-case key= field-separator=
    stable check=`,
    ),
  },
  tree: { options: options('adfpsughDrtcLIPNCi0-9', 'dirsfirst gitignore noreport') },
  // `uniq` writes to its second file.
  uniq: { options: options('cdDuiz0-9fsw', 'count repeated unique ignore-case'), operands: none },
  wc: { options: options('clLmw', 'lines words chars bytes max-line-length') },
};

/** A package of a registry, not a folder, a file, an address or a repository. */
const npmPackage = String.raw`(?!\S*\.(?:tgz|tar|tar\.gz)(?: |$))(?:@[\w-][\w.-]*\/)?\w[\w.-]*(?:@[\w.^~<>=*-]+)?`;
const pythonPackage =
  /^(?!.*\.(?:whl|egg|zip|tar|t?gz|bz2|xz)$)(\.|[\w.-]+(\[[\w,.-]+\])?(([=<>!~]=?|@)[\w.*,<>=!~^-]+)?|[\w./-]+\.txt)$/;
const nodePackages: WildcardProgram = {
  verbs: words('test, t, run, run-script, start, install, i, ci, add, ls, list, outdated, why, audit'),
  check: new RegExp(String.raw`^(?!(?:install|i|add) )|^\S+(?: -\S+| ${npmPackage})*$`),
  // Options after a script's name belong to the script.
  options: options(
    'DEOPSutwibsvqad0-9',
    `
    -- save-dev save-exact save-optional save-peer save-prod save no-save dev exact peer optional production prod
    omit= include= silent quiet verbose if-present workspaces workspace= no-audit no-fund ignore-scripts
    legacy-peer-deps prefer-offline offline frozen-lockfile no-frozen-lockfile json depth= all long parseable
    recursive dry-run force latest watch watchAll no-watch run update update-snapshot updateSnapshot coverage bail= ci
    passWithNoTests testNamePattern= grep= fix check noEmit no-color color runInBand maxWorkers= changed related
    onlyChanged help version`,
  ),
};
const recipes: WildcardProgram = { options: none, operands: /^[\w./:@+-]+$/ };
const pytest = {
  // A word with `@` names a file of further words.
  options: options(
    'xqvslkmrfbnaAE0-9',
    `
    lf ff nf sw last-failed failed-first maxfail= tb= durations= collect-only co no-header no-summary color= verbose
    quiet exitfirst stepwise showlocals capture= strict-markers disable-warnings cov= cov-report=term(?:-missing)?`,
  ),
  operands: /^[^@]/,
};
const python: WildcardProgram = { ...pytest, verbs: words('-m pytest, -m unittest') };
const flutter: WildcardProgram = {
  verbs: words(`test, analyze, format, pub get, pub outdated, pub deps`),
  options: options(
    'jrnN0-9',
    `
  reporter= concurrency= name= plain-name= no-pub tags= set-exit-if-changed fatal-infos fatal-warnings`,
  ),
};
const terraform: WildcardProgram = {
  verbs: words(`fmt, validate, plan, show, output, version, graph`),
  options:
    /^-(no-color|json|check|recursive|diff|input=\w+|lock=\w+|refresh=\w+|compact-warnings|detailed-exitcode|var=.*|target=.*)$/s,
};

/**
 * Programs that run the workspace's own build, and are so common that a rule may say `npm test *`: their words cannot
 * name anything else to run.
 */
const builds: Readonly<Record<string, WildcardProgram>> = {
  git: {
    verbs:
      words(`status, log, diff, show, add, commit, branch, checkout, switch, restore, stash, tag, worktree list, blame,
      describe, grep, rev-parse, ls-files, ls-tree, shortlog, reflog, merge-base, cat-file, reset, rm, mv, remote,
      rebase, fetch, pull, push`),
    // A repository inside the workspace has its own hooks and settings: git must not send to a path, fetch from one, or
    // merge by a program. After an option with its value in the next word, Parley cannot tell which word is the remote.
    check:
      /^(?!remote|rebase|fetch|pull|push)|^remote( -v| --verbose)?( (show|get-url|prune)( origin| upstream)?)?$|^rebase(?!.* (-[A-Za-z0-9]*[sX]|--strat))( |$)|^(fetch|pull|push)(?!.* (-[A-Za-z]*[ms]|--str|--mu))( (--depth|--deepen|-j|--jobs) \d+| -[afknpPqtuvrd46]+| --[a-z-]+=[^ ]*| --(no-[a-z-]+|all|append|atomic|autostash|commit|delete|dry-run|ff|ff-only|follow-tags|force|force-with-lease|keep|log|porcelain|progress|prune|prune-tags|quiet|rebase|refetch|set-upstream|squash|stat|tags|thin|unshallow|verbose|verify))*( (origin|upstream)( |$)|$)/,
    // -O and -x name programs, also after a number (`-5O`).
    options: options(
      'A-NP-Za-wyz0-9',
      `
      --
      (?:no-)?(?:abbrev|all|atomic|autostash|color|decorate|edit|ff|merges|patch|progress|rebase|renames|signoff|stat)
      (?:no-)?(?:tags|thin|verify)
      (?:abbrev|color|date|decorate|depth|deepen|diff-filter|format|force-with-lease|jobs|pretty|push-option|stat)=
      (?:untracked-files|word-diff)=
      abbrev-commit abbrev-ref after= all-match allow-empty amend ancestry-path append author= before= bisect branch
      branches= cached cherry-pick children column committer= contains= continue abort skip count cumulative cc delete
      detach dirstat dry-run exclude= exclude-standard exit-code extended-regexp ff-only files-with-matches
      find-renames= first-parent fixed-strings fixup= follow follow-tags force full-history function-context git-dir
      graph grep= hard ignore-all-space ignore-blank-lines ignore-case ignore-space-change ignored include-untracked
      index interactive invert-grep is-ancestor is-inside-work-tree keep keep-index left-right line-number list long
      max-count= merge merged= message= minimal mixed modified move name-only name-rev name-status no-index no-merged=
      no-recurse-submodules numstat oneline ours onto= others patch-with-stat perl-regexp points-at= porcelain= prune
      quiet raw refetch relative= reset-author reverse root set-upstream set-upstream-to= shortstat short show-current
      show-toplevel show-prefix since= skip= soft sort= source= squash staged summary symbolic-full-name theirs
      topo-order track unified= unmerged unset-upstream unshallow until= update-refs verbose walk-reflogs word-regexp
      worktree`,
    ),
    operands: /^(?!ext::)/,
  },
  ...named('npm pnpm', nodePackages),
  // `yarn run` also runs any program that is installed in the workspace.
  yarn: {
    ...nodePackages,
    check: new RegExp(
      String.raw`(?=${nodePackages.check!.source})(?!^run (?!(?:-\S+ )*(?:test|build|lint|start|dev|check|format|typecheck|compile|clean|watch|coverage|ci)(?::[\w:-]+)?(?: |$)))`,
    ),
  },
  cargo: {
    verbs: words('test, build, check, clippy, fmt, doc, tree, bench, run, metadata'),
    options: options(
      'vqpjFrDWA0-9',
      `
      -- release all workspace all-targets all-features no-default-features features= package= lib bins bin= tests
      test= examples example= benches bench= exclude= no-run no-fail-fast locked offline frozen verbose quiet jobs=
      message-format= color= profile= check fix allow-dirty allow-staged no-deps doc document-private-items nocapture
      no-capture test-threads= exact ignored include-ignored show-output skip= list depth= invert= edges=
      format-version=`,
    ),
  },
  go: {
    verbs: words(`test, build, vet, fmt, list, version, doc, mod tidy, mod download, mod verify, mod graph, mod why,
        mod vendor,
      get`),
    options:
      /^--?(v|race|run|count|timeout|short|cover|bench|benchmem|benchtime|failfast|parallel|p|json|list|tags|x|n|a|trimpath|m|u|d|e|f|deps|test|mod|cpu|shuffle|skip|all|src)(=.*)?$/s,
  },
  gh: {
    verbs: words(`pr list, pr view, pr status, pr diff, pr checks, pr create, pr edit, pr comment, pr review, pr merge,
        pr close,
      pr reopen, pr ready, pr checkout, issue list, issue view, issue status, issue create, issue edit, issue comment,
      issue close, issue reopen, run list, run view, run watch, run rerun, run cancel, release list, release view,
      repo view, repo list, repo clone, workflow list, workflow view, workflow run, search, label list, label create`),
    options: options(
      'tbBHdflarmsLRcqSi',
      `
      title= body= base= head= draft fill label= assignee= reviewer= milestone= state= limit= repo= json= jq= comments
      author= search= squash merge rebase delete-branch auto approve comment request-changes log log-failed name-only
      patch color= verbose exit-status job= add-label= remove-label= description=`,
    ),
  },
  ...named('python python3', python),
  pytest,
  make: {
    options: options(
      'ksnBj0-9w',
      `
    keep-going silent quiet dry-run jobs= always-make no-print-directory`,
    ),
    operands: recipes.operands!,
  },
  ninja: { options: options('jkvn0-9'), operands: recipes.operands! },
  // Recipes often paste their arguments into a script.
  ...named('just task', recipes),
  ...named('pip pip3', {
    verbs: words('install, list, show, freeze, check'),
    options: options(
      'rUqv',
      `
      upgrade quiet verbose user no-deps pre no-cache-dir dry-run format= outdated disable-pip-version-check no-input
      local not-required`,
    ),
    operands: pythonPackage,
  }),
  uv: {
    verbs: words('sync, add, remove, lock, tree, pip install, pip list, pip show, pip freeze, pip check, pip tree'),
    options: options(
      'rUqv',
      `
      frozen locked dev group= extra= all-extras no-dev upgrade quiet verbose offline no-cache depth= outdated`,
    ),
    operands: pythonPackage,
  },
  poetry: {
    verbs: words('install, add, remove, update, lock, show, check, build'),
    options: options(
      'GDEvqn',
      `
      group= dev extras= all-extras no-root with= without= only= sync no-interaction dry-run latest tree outdated`,
    ),
    operands: pythonPackage,
  },
  bundle: {
    verbs: words('install, update, lock, check, list, show, info, outdated'),
    options: options(
      'j0-9',
      `
    jobs= quiet local deployment frozen without= retry=`,
    ),
    operands: /^[\w.-]+$/,
  },
  composer: {
    verbs: words('install, require, update, show, validate, outdated, dump-autoload, run, run-script, test'),
    options: options(
      'novqWD',
      `
      no-interaction dev no-dev prefer-dist no-scripts no-progress optimize-autoloader with-all-dependencies dry-run
      quiet direct`,
    ),
    operands: /^[\w:^~*-][\w./:^~*-]*$/,
  },
  dotnet: {
    verbs: words(`build, test, restore, clean, publish, run, format, list`),
    options:
      /^--?(c|configuration|f|framework|filter|no-build|no-restore|nologo|v|verbosity|r|runtime|project)([=:].*)?$/s,
    operands: /^(?!.*\.(dll|exe)$)[^/@]/is,
  },
  ...named('dart flutter', flutter),
  ...named('terraform tofu', terraform),
  kubectl: {
    verbs: words('get, describe, logs, top, explain, version, api-resources'),
    options: options(
      'noAlfcLwp',
      `
      namespace= output= all-namespaces selector= follow tail= since= container= watch previous show-labels sort-by=
      no-headers all-containers field-selector= timestamps client`,
    ),
  },
  'pre-commit': {
    verbs: words('run'),
    options: options(
      'av',
      `
    all-files verbose files show-diff-on-failure from-ref= to-ref= hook-stage=`,
    ),
  },
};

const programs: ReadonlyMap<string, WildcardProgram> = new Map(Object.entries({ ...tools, ...builds }));

/** The entry of a program without a folder or in a folder of the system. */
function entryOf(program: string): WildcardProgram | undefined {
  const name =
    systemName(program)
      ?.replace(/\.exe$/, '')
      .replace(/^(python|pip)3\.\d+$/, (_all, base: string) => `${base}3`) ?? '';
  // Verbs of PowerShell ignore case.
  return programs.get(/^[a-z]+-[a-z]+$/i.test(name) ? name.toLowerCase() : name);
}

/** True if a name is that of a program which every system has. */
export function isSystemTool(name: string): boolean {
  return Object.hasOwn(tools, name) || name === 'git';
}

/** Moves past folder options: `git --no-pager -C src log` is `git log` there. */
function behindFolders(program: string, args: readonly string[]): readonly string[] {
  let at = 0;
  if (systemName(program) === 'git')
    while (args[at] === '--no-pager' || args[at] === '-C') at += args[at] === '-C' ? 2 : 1;
  return args.slice(at);
}

/** True if a pattern with `*` may allow a command. */
export function takesWildcard({ words: [program, ...rest] }: Pick<ShellCommand, 'words'>): boolean {
  const entry = program?.known ? entryOf(program.text) : undefined;
  if (!entry) return false;
  const args = behindFolders(
    program!.text,
    rest.map(({ text }) => text),
  );
  // Replace blanks inside a word, so that a pattern cannot mistake its parts for words.
  const joined = args.map((arg) => arg.replaceAll(/\s/g, "'")).join(' ');
  if (entry.verbs && !entry.verbs.some((verb) => isBeginning(verb, joined))) return false;
  if (entry.check && !entry.check.test(joined)) return false;
  const verbWords = entry.verbs?.find((verb) => isBeginning(verb, joined))?.split(' ').length ?? 0;
  return args
    .slice(verbWords)
    .every((arg) => (arg.startsWith('-') && arg !== '-' ? (entry.options ?? /^/) : (entry.operands ?? /^/)).test(arg));
}

/**
 * True if a pattern of an allow rule can match anything; one with `*` after a program that must be spelled out cannot.
 */
export function canAllow(pattern: string): boolean {
  const end = pattern.indexOf('*');
  const [program = '', ...args] = end < 0 ? [] : pattern.slice(0, end).split(/\s+/).slice(0, -1);
  if (program === '') return true;
  const entry = entryOf(program);
  const said = behindFolders(program, args).join(' ');
  return (
    entry !== undefined &&
    (said === '' ||
      entry.verbs === undefined ||
      entry.verbs.some((verb) => isBeginning(verb, said) || isBeginning(said, verb)))
  );
}

function isBeginning(words: string, text: string): boolean {
  return text === words || text.startsWith(`${words} `);
}
