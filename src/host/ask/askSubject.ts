import type * as vscode from 'vscode';
import type { ProblemReference } from './quickFixes';

/** What the user asks about. */
export type AskSubject =
  | ({ readonly kind: 'problems' } & ProblemReference)
  /** Text in an editor; an empty selection means its line. */
  | {
      readonly kind: 'selection';
      readonly document: vscode.TextDocument;
      readonly selections: readonly vscode.Selection[];
    }
  | { readonly kind: 'files'; readonly uris: readonly vscode.Uri[] }
  /** The selection of the active terminal, or the output of its last command. */
  | { readonly kind: 'terminal' }
  | {
      readonly kind: 'test';
      readonly label: string;
      readonly uri?: vscode.Uri;
      readonly line?: number;
      readonly failure?: TestFailure;
    }
  | { readonly kind: 'stack'; readonly threadId?: number; readonly sessionId?: string }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string; readonly type: string }
  /** What an agent said in a review. `line` is 0-based. */
  | { readonly kind: 'remark'; readonly uri: vscode.Uri; readonly line: number; readonly text: string }
  | { readonly kind: 'debugConsole' };

/** What a failed test said. Texts are hostile: a program printed them. */
export interface TestFailure {
  readonly text: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The menu that a command was chosen from, where its arguments do not tell. */
export type AskMenu = 'editor' | 'terminal' | 'debugConsole' | undefined;

/**
 * What a menu was opened on. VS Code hands each menu's command other arguments, and a keybinding none.
 * @param editor the active one
 * @param menu known from the command's id
 */
export function askSubject(
  args: readonly unknown[],
  editor: Pick<vscode.TextEditor, 'document' | 'selections'> | undefined,
  menu: AskMenu,
): AskSubject | undefined {
  if (menu === 'terminal' || menu === 'debugConsole') return { kind: menu };
  const [first, second] = args;
  // The call stack gives the address of the source or the number of the thread first.
  if (typeof first === 'string' || typeof first === 'number') return isRecord(second) ? stackOf(second) : undefined;
  if (!isRecord(first)) return editor && selectionOf(editor);
  if (Array.isArray(first['diagnostics']) && isUri(first['uri'])) {
    const diagnostics = first['diagnostics'] as readonly vscode.Diagnostic[];
    return diagnostics.length > 0 ? { kind: 'problems', uri: first['uri'], diagnostics } : undefined;
  }
  if (isUri(first)) {
    const isEditor = !Array.isArray(second) && editor?.document.uri.toString() === first.toString();
    if (isEditor && editor.selections.some((selection) => !selection.isEmpty)) return selectionOf(editor);
    return { kind: 'files', uris: Array.isArray(second) && second.length > 0 ? second.filter(isUri) : [first] };
  }
  const resources = resourcesIn(args);
  if (resources.length > 0) return { kind: 'files', uris: resources };
  if (isRecord(first['test'])) return testOf(first['test'], failureOf(first['message']));
  if (typeof first['id'] === 'string' && typeof first['label'] === 'string') return testOf(first, undefined);
  const variable = first['variable'];
  if (isRecord(variable))
    return {
      kind: 'variable',
      name: text(variable['name']),
      value: text(variable['value']),
      type: text(variable['type']),
    };
  return stackOf(first);
}

function stackOf(context: Readonly<Record<string, unknown>>): AskSubject | undefined {
  const { threadId, sessionId } = context;
  if (!('threadId' in context) && !('frameId' in context) && typeof sessionId !== 'string') return undefined;
  // A frame says its thread as a text.
  const thread = typeof threadId === 'string' ? Number(/(?:^|:)(\d+)$/.exec(threadId)?.[1] ?? NaN) : threadId;
  return {
    kind: 'stack',
    ...(typeof thread === 'number' && Number.isFinite(thread) ? { threadId: thread } : {}),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
  };
}

function selectionOf({ document, selections }: Pick<vscode.TextEditor, 'document' | 'selections'>): AskSubject {
  return { kind: 'selection', document, selections };
}

/** Files in Source Control: single ones, or those of a group. */
function resourcesIn(args: readonly unknown[]): vscode.Uri[] {
  const states = args.flatMap((item): unknown[] => {
    if (!isRecord(item)) return Array.isArray(item) ? item : [];
    return Array.isArray(item['resourceStates']) ? item['resourceStates'] : [item];
  });
  const uris = states.flatMap((state) =>
    isRecord(state) && isUri(state['resourceUri']) ? [state['resourceUri']] : [],
  );
  return uris.filter((uri, at) => uris.findIndex((other) => other.toString() === uri.toString()) === at);
}

function testOf(test: Readonly<Record<string, unknown>>, failure: TestFailure | undefined): AskSubject {
  const { uri, range } = test;
  return {
    kind: 'test',
    label: text(test['label']),
    ...(isUri(uri) ? { uri } : {}),
    ...(isRecord(range) && isRecord(range['start']) && typeof range['start']['line'] === 'number'
      ? { line: range['start']['line'] + 1 }
      : {}),
    ...(failure ? { failure } : {}),
  };
}

function failureOf(message: unknown): TestFailure | undefined {
  if (!isRecord(message)) return undefined;
  const said = message['message'];
  const { expectedOutput, actualOutput } = message;
  return {
    text: typeof said === 'string' ? said : isRecord(said) ? text(said['value']) : '',
    ...(typeof expectedOutput === 'string' ? { expected: expectedOutput } : {}),
    ...(typeof actualOutput === 'string' ? { actual: actualOutput } : {}),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isUri(value: unknown): value is vscode.Uri {
  return isRecord(value) && typeof value['scheme'] === 'string' && typeof value['path'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
