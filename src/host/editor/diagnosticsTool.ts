import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import type { IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import { counted, type FoundLine, linesAnswer } from '../../editor/answers';
import { pageOf, textOf, wordOf } from '../../editor/toolInput';
import { isWithin } from '../../node/isWithin';
import { documentOf, fileOf, sessionFile, type SessionFile, type ToolSession } from './toolSession';

/** No change of any diagnostic for so long means that the language servers are done. */
const quietMs = 700;
/** The longest wait after an edit, and for a file that was just opened. */
const settleMs = 8_000;
/** Files that are looked at. */
const maxFiles = 5_000;

const words = ['error', 'warning', 'information', 'hint'] as const;

/** `diagnostics`: what the language servers say of the files, once they have seen the last edits. */
export async function diagnosticsTool(
  args: JsonObject,
  session: ToolSession,
  token: CancellationToken,
): Promise<string> {
  const page = pageOf(args);
  const severity = wordOf(args, 'severity', 'warning', 'error', 'all');
  const least = { error: 0, warning: 1, all: 3 }[severity];
  const written = textOf(args, 'path');
  const target = written === undefined ? undefined : await sessionFile(written, session.scope);
  const isFile = target !== undefined && (await isRegularFile(target));
  if (isFile) await documentOf(target);
  await settled(session.clock, token);
  const all = target && isFile ? [uriWithItsDiagnostics(target)] : vscode.languages.getDiagnostics();
  const found: (FoundLine & { readonly severity: number })[] = [];
  for (const [uri, diagnostics] of all.slice(0, maxFiles)) {
    const concerned = diagnostics.filter((item) => item.severity <= least);
    const file = concerned.length > 0 ? await fileOf(uri, session.scope) : undefined;
    if (!file || (target && !isWithin(file.path, target.path))) continue;
    for (const item of concerned)
      found.push({ path: file.label, line: item.range.start.line + 1, text: wordsOf(item), severity: item.severity });
  }
  const sorted = found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  const errors = found.filter((item) => item.severity === 0).length;
  const where = target ? target.label : 'the workspace';
  if (found.length === 0) return `No ${severity === 'error' ? 'errors' : 'errors or warnings'} in ${where}.`;
  const others = found.length - errors;
  const title = [counted(errors, 'error'), ...(others > 0 ? [counted(others, least > 1 ? 'other' : 'warning')] : [])];
  return linesAnswer(`${title.join(', ')} in ${where}`, sorted, page);
}

/** `error TS2304: Cannot find name …`, in one line. */
export function wordsOf({ severity, message, code, source }: vscode.Diagnostic): string {
  const number = typeof code === 'object' ? code.value : code;
  const origin = [source, number].filter((part) => part !== undefined && part !== '').join(' ');
  return `${words[severity] ?? 'information'}${origin === '' ? '' : ` ${origin}`}: ${message}`;
}

function uriWithItsDiagnostics({ path }: SessionFile): [vscode.Uri, vscode.Diagnostic[]] {
  const uri = vscode.Uri.file(path);
  return [uri, vscode.languages.getDiagnostics(uri)];
}

async function isRegularFile({ real }: SessionFile): Promise<boolean> {
  return stat(real).then(
    (found) => found.isFile(),
    () => true,
  );
}

/** Waits until no diagnostic has changed for a moment, at most `settleMs`. Starts no server and keeps no listener. */
export async function settled(clock: Clock, token: CancellationToken): Promise<void> {
  let quiet: IDisposable | undefined;
  let longest: IDisposable | undefined;
  const listeners: IDisposable[] = [];
  try {
    await new Promise<void>((resolve) => {
      const rest = () => {
        quiet?.dispose();
        quiet = clock.setTimeout(resolve, quietMs);
      };
      longest = clock.setTimeout(resolve, settleMs);
      listeners.push(
        vscode.languages.onDidChangeDiagnostics(rest),
        token.onCancellationRequested(() => resolve()),
      );
      rest();
    });
  } finally {
    quiet?.dispose();
    longest?.dispose();
    for (const listener of listeners) listener.dispose();
  }
}
