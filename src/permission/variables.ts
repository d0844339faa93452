/** Variables that move where a `cd` without more words, or with a relative one, leads; and where names of files begin. */
const placing = /^(CDPATH|cdpath|HOME|PWD|OLDPWD|DIRSTACK)(?:\[[^\]]*\])?\+?=/;
const placingNames: ReadonlySet<string> = new Set(['CDPATH', 'cdpath', 'HOME', 'PWD', 'OLDPWD', 'DIRSTACK']);

/** Variables of which a shell, a linker, an interpreter or a tool takes what it runs. */
const deciding = new RegExp(
  `^(${[
    ...['PATH', 'path', 'fpath', 'FPATH', 'IFS', 'ENV', 'SHELL', 'PS[0-4]', 'PROMPT_COMMAND', 'ZDOTDIR', 'SHELLOPTS', 'BASHOPTS', 'BASH_\\w+.*', 'LD_\\w+', 'DYLD_\\w+', 'GCONV_PATH', 'TERMINFO\\w*', 'OPENSSL_\\w+'],
    ...['\\w*PAGER', '\\w*EDITOR', 'VISUAL', 'BROWSER', '\\w*ASKPASS', 'LESS\\w*', 'FZF_\\w+', 'RIPGREP_CONFIG_PATH', 'ACKRC', 'WGETRC', 'CURL_HOME', 'INPUTRC', 'VIMINIT', 'EXINIT', 'XDG_CONFIG_\\w+'],
    ...['GIT_(?!(AUTHOR|COMMITTER)_|TERMINAL_PROMPT)\\w+', 'SSH_\\w+', 'RSYNC_\\w+', 'TAR_OPTIONS', 'GREP_OPTIONS', 'DOCKER_\\w+', 'KUBECONFIG'],
    ...['NODE_(OPTIONS|PATH|REPL\\w*)', '[nN][pP][mM]_\\w+', 'YARN_\\w+', 'COREPACK_\\w+', 'PYTHON\\w+', 'PERL\\w+', 'RUBY\\w+', 'GEM_\\w+', 'BUNDLE_\\w+', 'LUA_\\w+', 'PHP\\w*', 'CLASSPATH', '_?JAVA_\\w+', 'JDK_\\w+', 'MAVEN_\\w+', 'GRADLE_\\w+'],
    ...['GO(FLAGS|ROOT|PATH|BIN|ENV|TOOLCHAIN|PROXY)', 'CARGO\\w*', 'RUSTC\\w*', 'RUSTDOC\\w*', 'RUSTFLAGS', 'CC', 'CXX', 'CPP', 'LD', 'AR', 'AS', 'MAKE', 'G?N?U?MAKE(FLAGS|FILES)', 'MFLAGS', 'CMAKE_\\w+', 'COMSPEC', 'PSMODULEPATH', 'DOTNET_\\w+', 'MSBUILD\\w*'],
  ].join('|')})$`,
);
/** What a pager is set to so that it does not page. */
const harmless = /^\w*PAGER=(cat|less|more|)$/;

/** Whether an assignment, as written, changes where the folders of a command line are. */
export function movesFolders(assignment: string): boolean {
  return placing.test(assignment);
}

/** The same for a name that is read into. */
export function namesFolder(name: string): boolean {
  return placingNames.has(name);
}

/** Whether an assignment, as written, or a name that is read into, may decide which program runs or what it does. */
export function decidesWhatRuns(assignment: string): boolean {
  if (harmless.test(assignment)) return false;
  // Of a name that is none, only `env` can tell what becomes of it: functions of bash are handed on like that.
  const name = assignment.includes('=') ? /^(\w+)(?:\[[^\]]*\])?\+?=/.exec(assignment)?.[1] : assignment;
  return name === undefined || deciding.test(name);
}
