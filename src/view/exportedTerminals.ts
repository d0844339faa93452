import type { TerminalView } from '../protocol/terminalView';
import type { ExportedTerminal, TerminalLookup } from '../thread/exportedSession';

/** Lines of an imported terminal that are kept, the last ones: the panel can draw all of them. */
const maxRows = 5_000;

/** The terminals of a session for its export. */
export function terminalLookup(views: readonly TerminalView[]): TerminalLookup {
  const byId = new Map(views.map((view) => [view.terminalId, view]));
  return (id) => {
    const view = byId.get(id);
    if (!view) return undefined;
    const { command, rows, firstRow, exitCode, signal, durationMs } = view;
    return {
      ...(command === undefined ? {} : { command }),
      output: rows.map((row) => row.map(({ text }) => text).join('')).join('\n'),
      ...(firstRow > 0 ? { omittedLines: firstRow } : {}),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
      ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
    };
  };
}

/** An imported terminal as the panel shows it. */
export function importedTerminal(
  terminalId: string,
  { command, output, omittedLines = 0, exitCode, signal, durationMs }: ExportedTerminal,
): TerminalView {
  const lines = output === '' ? [] : output.split('\n');
  const from = Math.max(0, lines.length - maxRows);
  return {
    terminalId,
    ...(command === undefined ? {} : { command }),
    firstRow: omittedLines + from,
    rows: lines.slice(from).map((text) => (text === '' ? [] : [{ text }])),
    running: false,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    canOpen: false,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}
