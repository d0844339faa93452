import type { JsonObject } from '../base/json';

/**
 * What a tool does to the user's machine. `reads`: nothing. `shows`: shows the user something, and changes no file. `edits`: changes files as the agent's own edits do. `runs`:
 * starts something, and Parley asks the user each time.
 */
export type ToolEffect = 'reads' | 'shows' | 'edits' | 'runs';

/** One tool of the server `vscode`, as agents get it. The texts are for models, so they are not translated. */
export interface EditorTool {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** Agents get it only if the user switched it on: it tells them what the user is looking at. */
  readonly isOptIn?: true;
}

/** What an agent reads about the server before it uses a tool. */
export const editorInstructions = `Tools of the editor in which the user works. Prefer them to grep and to a build: \
they know the language. Name a symbol as Class/method, and add path or line where the name is not unique. Paths are \
relative to the session's folder, lines begin with 1. Unsaved text of the editor counts.`;

const path = { type: 'string', description: 'File, relative to the session’s folder or absolute.' };
const symbol = {
  type: 'string',
  description: 'Name, or name path such as Class/method. With line: the text on that line that is meant.',
};
const line = { type: 'integer', minimum: 1, description: 'Line of path, from 1.' };
const column = { type: 'integer', minimum: 1, description: 'Column on that line, from 1. Rarely needed.' };
const paging = {
  limit: { type: 'integer', minimum: 1, maximum: 500, description: 'Most results. 50 by default.' },
  cursor: { type: 'string', description: 'From the end of the answer before, for the next results.' },
};

/** What the tool `debug` does. */
export const debugActions = [
  'configurations',
  'start',
  'state',
  'set_breakpoint',
  'remove_breakpoint',
  'stack',
  'variables',
  'evaluate',
  'continue',
  'step_over',
  'step_into',
  'step_out',
  'stop',
] as const;

/** Arguments that name a place: a symbol, or a path with a line. */
const place = { symbol, path, line, column };

function input(properties: JsonObject, ...required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

/** All tools, in the order in which agents get them. */
export const editorTools: readonly EditorTool[] = [
  {
    name: 'diagnostics',
    effect: 'reads',
    description:
      'Errors and warnings of a file, a folder or the workspace, without a build. Waits until the language server ' +
      'has looked at the last edits.',
    input: input({
      path: { type: 'string', description: 'File or folder. All of the workspace by default.' },
      severity: { enum: ['error', 'warning', 'all'], description: 'The least severe. warning by default.' },
      since: {
        enum: ['ever', 'edit'],
        description: 'edit: only errors that your edits of this turn added or removed. ever by default.',
      },
      ...paging,
    }),
  },
  {
    name: 'definition',
    effect: 'reads',
    description: 'Where a symbol is defined.',
    input: input({ ...place, ...paging }),
  },
  {
    name: 'references',
    effect: 'reads',
    description: 'All uses of a symbol, with their lines. Exact: no other symbol of the same name.',
    input: input({
      ...place,
      declaration: { type: 'boolean', description: 'Include the declaration. false by default.' },
      ...paging,
    }),
  },
  {
    name: 'implementations',
    effect: 'reads',
    description: 'What implements an interface, an abstract class or a method.',
    input: input({ ...place, ...paging }),
  },
  {
    name: 'type_definition',
    effect: 'reads',
    description: 'Where the type of a symbol is defined.',
    input: input({ ...place, ...paging }),
  },
  {
    name: 'hover',
    effect: 'reads',
    description: 'Type, signature and documentation of a symbol.',
    input: input(place),
  },
  {
    name: 'call_hierarchy',
    effect: 'reads',
    description: 'Callers of a function, or what it calls.',
    input: input({
      ...place,
      direction: { enum: ['incoming', 'outgoing'], description: 'incoming (callers) by default.' },
      ...paging,
    }),
  },
  {
    name: 'document_symbols',
    effect: 'reads',
    description: 'Outline of a file: its symbols with their lines, without what is local to a function.',
    input: input({ path, ...paging, limit: { ...paging.limit, description: 'Most results. 200 by default.' } }, 'path'),
  },
  {
    name: 'workspace_symbols',
    effect: 'reads',
    description: 'Searches all symbols of the workspace by a part of their name.',
    input: input({ query: { type: 'string' }, ...paging }, 'query'),
  },
  {
    name: 'read_symbol',
    effect: 'reads',
    description: 'The source text of one symbol, such as a function or a class, instead of the whole file.',
    input: input(place),
  },
  {
    name: 'rename_symbol',
    effect: 'edits',
    description: 'Renames a symbol and all its uses in all files. The user reviews the changes as your own edits.',
    input: input({ ...place, new_name: { type: 'string' } }, 'new_name'),
  },
  {
    name: 'code_actions',
    effect: 'edits',
    description:
      'Quick fixes and refactorings of the language server at a place. Lists their titles; with apply, does one.',
    input: input(
      {
        path,
        line,
        end_line: { type: 'integer', minimum: 1, description: 'Last line of the range. line by default.' },
        kind: { type: 'string', description: 'Only this kind: quickfix, refactor, source.fixAll.' },
        apply: { type: 'string', description: 'Title of the action to do, as it was listed.' },
      },
      'path',
      'line',
    ),
  },
  {
    name: 'format',
    effect: 'edits',
    description: 'Formats a file with the user’s formatter and settings.',
    input: input({ path }, 'path'),
  },
  {
    name: 'organize_imports',
    effect: 'edits',
    description: 'Sorts the imports of a file and removes unused ones.',
    input: input({ path }, 'path'),
  },
  {
    name: 'tasks',
    effect: 'reads',
    description: 'The tasks of the workspace: its own ways to build, test and check. group test for tests.',
    input: input({ group: { enum: ['build', 'test', 'clean', 'rebuild'] }, ...paging }),
  },
  {
    name: 'run_task',
    effect: 'runs',
    description: 'Runs a task and gives its exit code and the end of its output. The user is asked each time.',
    input: input({
      task: { type: 'string', description: 'Name, as the tool tasks lists it.' },
      source: { type: 'string', description: 'Where the task is from, if several have the name.' },
      timeout: {
        type: 'integer',
        minimum: 1,
        maximum: 600,
        description: 'Seconds to wait for its end. 120 by default.',
      },
      run: { type: 'string', description: 'Instead of task: waits again for one that still runs.' },
    }),
  },
  {
    name: 'review',
    effect: 'reads',
    description: 'Your changes that the user has not kept or undone yet, hunk by hunk.',
    input: input({ path: { type: 'string', description: 'Only this file.' }, ...paging }),
  },
  {
    name: 'comment',
    effect: 'shows',
    description: 'Shows the user a remark on lines of a file, as a comment in the editor. Plain text. Changes no file.',
    input: input(
      {
        path,
        line,
        end_line: { type: 'integer', minimum: 1, description: 'Last line of the range. line by default.' },
        text: { type: 'string', maxLength: 10_000 },
      },
      'path',
      'line',
      'text',
    ),
  },
  {
    name: 'notebook',
    effect: 'reads',
    description: 'The cells of a Jupyter notebook: index, kind, text, and the beginning of the outputs.',
    input: input({ path, ...paging }, 'path'),
  },
  {
    name: 'edit_notebook',
    effect: 'edits',
    description: 'Replaces, inserts or deletes one cell of a Jupyter notebook. The user reviews it as your own edits.',
    input: input(
      {
        path,
        action: { enum: ['replace', 'insert', 'delete'], description: 'replace by default.' },
        index: { type: 'integer', minimum: 0, description: 'Cell, from 0. insert puts the new one before it.' },
        source: { type: 'string', description: 'Text of the cell.' },
        kind: { enum: ['code', 'markdown', 'raw'], description: 'As before, or code for a new cell.' },
      },
      'path',
      'index',
    ),
  },
  {
    name: 'debug',
    effect: 'runs',
    description:
      'Debugs with the user’s launch configurations: set_breakpoint, start, then stack and variables where it stops, ' +
      'continue and steps. Only programs that you started. start and evaluate ask the user each time.',
    input: input(
      {
        action: { enum: debugActions },
        configuration: { type: 'string', description: 'For start: name of a launch configuration.' },
        path: { type: 'string', description: 'For breakpoints: file.' },
        line: { type: 'integer', minimum: 1, description: 'For breakpoints: line, from 1.' },
        frame: {
          type: 'integer',
          minimum: 0,
          description: 'For variables and evaluate: frame of the stack, 0 is on top.',
        },
        expression: { type: 'string', description: 'For evaluate.' },
        timeout: {
          type: 'integer',
          minimum: 1,
          maximum: 120,
          description: 'Seconds to wait for a stop. 20 by default.',
        },
      },
      'action',
    ),
  },
  {
    name: 'open_editors',
    effect: 'reads',
    isOptIn: true,
    description: 'The files that the user has open, the active one first.',
    input: input({}),
  },
  {
    name: 'selection',
    effect: 'reads',
    isOptIn: true,
    description: 'The text that the user has selected, or the line of the cursor.',
    input: input({}),
  },
];

/** The tool with a name; undefined if there is none. */
export function editorTool(name: string): EditorTool | undefined {
  return editorTools.find((tool) => tool.name === name);
}
