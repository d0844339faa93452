/** They read names and numbers of a shell, whose index may be a substitution even within quotes. */
const readsNames: ReadonlySet<string> = new Set(['printf', 'test', '[', 'read', 'unset', 'declare', 'typeset', 'local', 'readonly', 'export', 'integer', 'float', 'mapfile', 'readarray', 'getopts', 'wait', 'vared']);
const declares = /^(declare|typeset|local|readonly|export|integer|float)$/;

/** Whether a command of the shell computes something: names in a computation may hold a substitution, which is run. */
export function computes(program: string, args: readonly string[]): boolean {
  if (program === 'let' || program === 'integer' || program === 'float') return true;
  if (readsNames.has(program) && args.some((arg) => /\[[^\]]*[$`]/.test(arg))) return true;
  // Attributes that compute what is assigned later, or let one name stand for another.
  if (declares.test(program)) return args.some((arg) => /^[-+]\w*[inEF]/.test(arg));
  if (program === 'test' || program === '[') return args.some((arg, index) => /^-(eq|ne|lt|le|gt|ge)$/.test(arg) && [args[index - 1], args[index + 1]].some((operand) => !/^[-+]?\d+$/.test(operand ?? '')));
  return /^(exit|return|shift|break|continue|logout)$/.test(program) && args.some((arg) => !/^\d+$/.test(arg));
}

const interpreters = /^(python[\d.]*|pypy\d*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua[\d.]*|luajit|osascript|rscript|julia|tclsh|guile|racket|gdb|lldb|irb|groovy|scala|raku|dc)$/;

/** Whether a program takes what it runs from a pipe or from text in the line. */
export function readsScript(program: string, args: readonly string[]): boolean {
  if (/^(ed|ex|red|at|batch)$/.test(program)) return true;
  const reads = interpreters.test(program) || /^(source|\.|g?make|[gmn]?awk|g?sed|tclsh|expect|crontab)$/.test(program);
  if (reads && args.some((arg) => arg !== '-' && isGivenInput(arg.replace(/^-{1,2}\w+=?/, '')))) return true;
  if (!interpreters.test(program) || args.some((arg) => /^(--version|-[vV]|--help|-h|--eval|--print|-[A-Za-z]*[ceEpr]|-m)/.test(arg))) return false;
  const script = args.find((arg) => arg === '-' || !arg.startsWith('-'));
  return script === undefined || script === '-';
}

/** A name of what the program is given rather than of a file. */
export function isGivenInput(word: string): boolean {
  return /^(-|\/dev\/(stdin|fd\/.*)|\/proc\/(self|thread-self|\d+)\/fd\/.*)$/.test(word);
}
