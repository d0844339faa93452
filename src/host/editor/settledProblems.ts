import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';

/** How long a language server may need until it says the first thing of new text. A clean file stays silent. */
const firstMs = 3_000;
/** No change of any problem for so long means that the servers are done. */
const quietMs = 500;
const longestMs = 8_000;

/** The version of each document of which the problems are known to be up to date. */
const settledVersions = new WeakMap<vscode.TextDocument, number>();

/**
 * Waits until the language servers have seen the text of some documents, as far as VS Code lets one know: problems come
 * a while after the text, and nothing comes for text that is right. At once if nothing has changed since the last time.
 */
export async function problemsSettled(
  documents: readonly vscode.TextDocument[],
  clock: Clock,
  token: CancellationToken,
): Promise<void> {
  const changed = documents.filter((document) => settledVersions.get(document) !== document.version);
  if (changed.length === 0) return;
  const versions = changed.map((document) => [document, document.version] as const);
  const uris = new Set(changed.map(({ uri }) => uri.toString()));
  const timers: IDisposable[] = [];
  const listeners: IDisposable[] = [];
  try {
    await new Promise<void>((resolve) => {
      let isHeard = false;
      let quiet: IDisposable | undefined;
      timers.push(clock.setTimeout(resolve, longestMs));
      timers.push(clock.setTimeout(() => !isHeard && resolve(), firstMs));
      listeners.push(
        token.onCancellationRequested(() => resolve()),
        vscode.languages.onDidChangeDiagnostics((event) => {
          isHeard ||= event.uris.some((uri) => uris.has(uri.toString()));
          if (!isHeard) return;
          quiet?.dispose();
          quiet = clock.setTimeout(resolve, quietMs);
          timers.push(quiet);
        }),
      );
    });
  } finally {
    for (const item of [...timers, ...listeners]) item.dispose();
  }
  if (!token.isCancellationRequested)
    for (const [document, version] of versions) settledVersions.set(document, version);
}
