/**
 * Ten tasks of an agent in Parley's own source, done with the editor's tools and with text. The text side is a careful
 * agent: it searches for the right pattern at once, reads only what it must, and changes files with one command.
 */

/** @typedef {(name: string, args: object) => Promise<string>} Call */
/** @typedef {import('./textTools.mjs').TextTools} TextTools */

/**
 * @typedef {object} Task
 * @property {string} name
 * @property {(call: Call) => Promise<unknown>} editor
 * @property {(text: TextTools, patch: string) => unknown} text patch: what the editor's tools have changed
 * @property {readonly RegExp[]} [expects] what the editor's answers must have
 * @property {readonly [path: string, from: string, to: string]} [before] a change that the user or agent made before
 * @property {boolean} [changes] the files are checked by a build after it, and put back
 */

const headings = '^(export )?(async )?function|^  (private |static )?(async )?[#a-zA-Z]+\\(.*\\{$';

/** @type {readonly Task[]} */
export const tasks = [
  {
    name: 'callers of a function',
    editor: (call) => call('call_hierarchy', { symbol: 'sessionFile' }),
    text: (text) => {
      const files = filesOf(text.grep('sessionFile\\('));
      text.grep(`sessionFile\\(|${headings}`, files, '-nE');
    },
    expects: [/debugTool\.ts\n\s+\d+: breakpointPlace/, /taskTools\.ts\n/],
  },
  {
    name: 'callers of a method whose name is common',
    editor: (call) => call('call_hierarchy', { symbol: 'ReviewService/record' }),
    text: (text) => {
      const files = filesOf(text.grep('\\.record\\('));
      // Several classes have such a method.
      text.grep('^  (private |async )*#?record\\(|[rR]eview(Service)?\\??:|class ', files, '-nE');
      text.read('src/host/changes/disk/diskWatch.ts', 325, 50);
      text.read('src/host/changes/unclaimedChanges.ts', 145, 30);
    },
    expects: [/unclaimedChanges\.ts\n/, /reviewService\.ts\n/],
  },
  {
    name: 'uses of a property whose name is common',
    editor: (call) => call('references', { symbol: 'ToolSession/clock' }),
    text: (text) => {
      const files = filesOf(text.grep('ToolSession', undefined, '-rlw'));
      text.grep('clock', files, '-nw');
    },
    expects: [/debugTool\.ts\n/, /askLanguage\.ts\n/],
  },
  {
    name: 'inferred type of a variable',
    editor: (call) =>
      call('hover', { path: 'src/host/editor/languageTools.ts', line: lineNumbers.outline, symbol: 'outline' }),
    text: (text) => {
      text.read('src/host/editor/languageTools.ts', lineNumbers.outline - 5, 10);
      text.grep('function outlineOf', undefined, '-rn');
      text.read('src/host/editor/namedPlace.ts', lineNumbers.outlineOf, 6);
    },
    expects: [/OutlineSymbol\[\]/],
  },
  {
    name: 'outline of a file',
    editor: (call) => call('document_symbols', { path: 'src/host/editor/debugTool.ts' }),
    text: (text) => text.read('src/host/editor/debugTool.ts'),
    expects: [/function setBreakpoint/],
  },
  {
    name: 'body of a method by its name',
    editor: (call) => call('read_symbol', { symbol: 'WorkspaceFiles/writeTextFile' }),
    text: (text) => {
      text.grep('(async )?writeTextFile\\(.*');
      text.read('src/host/files/workspaceFiles.ts', lineNumbers.writeTextFile, 50);
    },
    expects: [/async writeTextFile\(/],
  },
  {
    name: 'implementations of an interface',
    editor: (call) => call('implementations', { symbol: 'PtyProcess' }),
    text: (text) => text.grep('\\bPtyProcess\\b'),
    expects: [/class \w+ implements PtyProcess/],
  },
  {
    name: 'errors in a folder after a change of a function',
    before: ['src/editor/answers.ts', 'counted(count: number, noun: string)', 'counted(noun: string, count: number)'],
    editor: (call) => call('diagnostics', { path: 'src/host/editor', severity: 'error' }),
    text: (text) => text.build(),
    expects: [/debugTool\.ts\n/, /TS2345/],
  },
  {
    name: 'rename a function',
    editor: (call) => call('rename_symbol', { symbol: 'sessionFile', new_name: 'fileOfSession' }),
    text: (text) => {
      const files = filesOf(text.grep('sessionFile', undefined, '-rnw'));
      text.shell(`sed -i 's/\\bsessionFile\\b/fileOfSession/g' ${files.join(' ')}`);
      text.build();
    },
    expects: [/Renamed sessionFile to fileOfSession/],
    changes: true,
  },
  {
    name: 'rename a property whose name is common',
    editor: (call) => call('rename_symbol', { symbol: 'SessionFile/label', new_name: 'shown' }),
    text: (text, patch) => {
      const files = filesOf(text.grep('SessionFile|sessionFile\\(|fileOf\\(', undefined, '-rlE'));
      text.grep('label', files, '-nw');
      // It knows at once which of them are its own, and writes all of them in one call.
      text.applyPatch(patch);
      text.build();
    },
    expects: [/Renamed label to shown/],
    changes: true,
  },
];

/** Lines that a question names. Filled from the source before the first task. */
export const lineNumbers = { outline: 0, outlineOf: 0, writeTextFile: 0 };

/** The files of `path:line:text` or of `path`, each once. @param {string} found */
function filesOf(found) {
  return [...new Set(found.split('\n').flatMap((line) => (line === '' ? [] : [line.split(':')[0] ?? ''])))];
}
