import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineFragment, lineLabel, maxTextLength, type NewAttachment } from '../attachments/attachment';
import { intakeOf } from '../attachments/attachedFile';
import { type Problem, problemsText } from '../attachments/contextText';
import { documentContext, selectionContext } from '../attachments/editorContext';
import { copiedTerminalSelection } from '../attachments/terminalSelection';
import { type TerminalCommands, terminalAttachment } from '../attachments/terminalCommands';
import type { AskSubject } from './askSubject';
import { debugConsoleText, stackText } from './debugState';

const severities = ['error', 'warning', 'info', 'hint'] as const;
/** Files of one question; a folder is one. */
const maxFiles = 50;

/**
 * The context of a question as attachments, made with the same functions as those that the user adds.
 * @returns why there is nothing to ask about, for the user
 */
export async function askContext(
  subject: AskSubject,
  terminals: Pick<TerminalCommands, 'latest' | 'context'>,
): Promise<readonly NewAttachment[] | string> {
  switch (subject.kind) {
    case 'problems':
      return problems(subject.uri, subject.diagnostics);
    case 'selection':
      return selectionContext(subject);
    case 'files':
      return files(subject.uris);
    case 'terminal':
      return terminal(terminals);
    case 'test':
      return test(subject);
    case 'stack': {
      const text = await stackText(subject.threadId, subject.sessionId);
      return text === undefined
        ? l10n.t('The debugger is not paused.')
        : [textAttachment(l10n.t('Call stack'), l10n.t('From the debugger'), 'stack.txt', text)];
    }
    case 'variable': {
      const text = `${subject.name}${subject.type === '' ? '' : `: ${subject.type}`} = ${subject.value}\n`;
      const stack = await stackText(undefined, undefined);
      return [
        textAttachment(
          subject.name.slice(0, 40) || l10n.t('Variable'),
          l10n.t('From the debugger'),
          'variable.txt',
          text,
        ),
        ...(stack === undefined
          ? []
          : [textAttachment(l10n.t('Call stack'), l10n.t('From the debugger'), 'stack.txt', stack)]),
      ];
    }
    case 'remark': {
      const { uri, line, text } = subject;
      const place = lineLabel(vscode.workspace.asRelativePath(uri), line + 1, line + 1);
      const document = await vscode.workspace.openTextDocument(uri);
      return [
        textAttachment(l10n.t('Remark'), place, 'remark.txt', `${place}: ${text}\n`),
        ...documentLines(document, Math.max(1, line - 4), line + 6),
      ];
    }
    case 'debugConsole': {
      const text = await debugConsoleText();
      return text === undefined
        ? l10n.t('The debug console is empty.')
        : [textAttachment(l10n.t('Debug console'), l10n.t('From the debugger'), 'console.txt', text, 'terminal')];
    }
  }
}

/** The problems as compilers print them, and the lines that they are on. */
async function problems(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): Promise<NewAttachment[]> {
  const path = vscode.workspace.asRelativePath(uri);
  const name = nodePath.posix.basename(uri.path);
  const told = diagnostics.map(({ range, severity, message, source, code }): Problem => {
    const number = typeof code === 'object' ? code.value : code;
    return {
      path,
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: severities[severity] ?? 'info',
      message,
      origin: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
    };
  });
  const lines = diagnostics.flatMap(({ range }) => [range.start.line, range.end.line]);
  const [first, last] = [Math.min(...lines) + 1, Math.max(...lines) + 1];
  const document = await vscode.workspace.openTextDocument(uri);
  const code = documentLines(document, first, last);
  return [
    {
      kind: 'problems',
      label:
        told.length === 1 ? l10n.t('Problem in {0}', lineLabel(name, first, last)) : l10n.t('Problems in {0}', name),
      detail: lineLabel(path, first, last),
      linkable: false,
      uri: `parley:/problems/${encodeURIComponent(`${name}:${first}`)}`,
      content: problemsText(told),
      fileName: 'problems.txt',
    },
    ...code,
  ];
}

/** Whole lines of a document, 1-based. */
function documentLines(document: vscode.TextDocument, first: number, last: number): NewAttachment[] {
  const end = document.lineAt(Math.min(last, document.lineCount) - 1).range.end;
  const range = new vscode.Selection(new vscode.Position(Math.min(first, document.lineCount) - 1, 0), end);
  return selectionContext({ document, selections: [range] });
}

async function files(uris: readonly vscode.Uri[]): Promise<readonly NewAttachment[] | string> {
  const made: NewAttachment[] = [];
  let refused: string | undefined;
  for (const uri of uris.slice(0, maxFiles)) {
    const intake =
      uri.scheme === 'file' ? await intakeOf(uri.fsPath, vscode.workspace.asRelativePath(uri)) : await opened(uri);
    if (intake.as === 'nothing') refused = intake.reason;
    else made.push(intake.as === 'image' ? intake.link : intake.attachment);
  }
  return made.length > 0 ? made : (refused ?? l10n.t('There is no file to ask about.'));
}

/** A document that is no file on disk. */
async function opened(uri: vscode.Uri) {
  try {
    return { as: 'attachment' as const, attachment: documentContext(await vscode.workspace.openTextDocument(uri)) };
  } catch {
    return { as: 'nothing' as const, reason: l10n.t('{0} could not be read.', nodePath.posix.basename(uri.path)) };
  }
}

async function terminal(
  terminals: Pick<TerminalCommands, 'latest' | 'context'>,
): Promise<readonly NewAttachment[] | string> {
  const selected = await copiedTerminalSelection();
  if (selected !== undefined)
    return [
      terminalAttachment(
        l10n.t('Terminal selection'),
        selected.slice(-maxTextLength),
        vscode.window.activeTerminal?.name ?? 'terminal',
      ),
    ];
  const [command] = terminals.latest();
  const made = command && (await terminals.context(command));
  return made ? [made] : l10n.t('Select text in the terminal, or run a command with shell integration first.');
}

async function test({
  label,
  uri,
  line,
  failure,
}: Extract<AskSubject, { kind: 'test' }>): Promise<readonly NewAttachment[]> {
  const said = failure
    ? [
        failure.text,
        ...(failure.expected === undefined ? [] : [`expected:\n${failure.expected}`]),
        ...(failure.actual === undefined ? [] : [`actual:\n${failure.actual}`]),
      ].join('\n\n')
    : undefined;
  const name = uri && nodePath.posix.basename(uri.path);
  const place: NewAttachment[] = uri
    ? [
        {
          kind: line === undefined ? 'file' : 'selection',
          label: line === undefined ? name! : lineLabel(name!, line, line),
          detail: vscode.workspace.asRelativePath(uri),
          linkable: uri.scheme === 'file',
          uri: `${uri.with({ fragment: '' }).toString()}${line === undefined ? '' : `#${lineFragment(line, line)}`}`,
          ...(line === undefined ? {} : { content: await testText(uri, line), fileName: name! }),
        },
      ]
    : [];
  return [
    ...(said === undefined ? [] : [textAttachment(l10n.t('Test result'), label.slice(0, 200), 'test.txt', said)]),
    ...place,
  ];
}

/** The text of a test from its first line on, so that the agent knows which one is meant. */
async function testText(uri: vscode.Uri, line: number): Promise<string> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getText(new vscode.Range(line - 1, 0, line + 39, 0));
  } catch {
    return '';
  }
}

function textAttachment(
  label: string,
  detail: string,
  fileName: string,
  text: string,
  kind: NewAttachment['kind'] = 'file',
): NewAttachment {
  return {
    kind,
    label: label.replace(/\s+/g, ' '),
    detail,
    linkable: false,
    uri: `parley:/asked/${encodeURIComponent(fileName)}`,
    content: text.slice(0, maxTextLength),
    fileName,
  };
}
