import * as l10n from '@vscode/l10n';
import type { TerminalRow, TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView, CommandOutputView } from '../../src/protocol/toolCallView';
import { HunkLines } from '../../src/base/hunkLines';
import { isActive } from './toolStatus';

/**
 * Shows a command's text as a terminal does.
 * @param last the earlier view of the same call: an unchanged line keeps its row
 */
export function outputTerminal(
  view: ToolCallView,
  terminalId: string,
  output: CommandOutputView,
  last: TerminalView | undefined,
): TerminalView {
  const diff = new DiffColors();
  const rows = output.lines.map((text, i): TerminalRow => {
    const old = last?.rows[i + output.firstLine - last.firstRow];
    const classes = diff.of(text);
    if (old?.[0]?.text === text && old[0].classes === classes) return old;
    return [classes === undefined ? { text } : { text, classes }];
  });
  return {
    terminalId,
    ...(view.command === undefined ? {} : { command: view.command }),
    firstRow: output.firstLine,
    rows,
    running: isActive(view.status),
    ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
    ...(output.signal === undefined ? (output.failed ? { signal: l10n.t('failed') } : {}) : { signal: output.signal }),
    canOpen: false,
    ...(view.durationMs === undefined ? {} : { durationMs: view.durationMs }),
  };
}

/** Finds a unified diff among lines and gives it the colors that git uses in a terminal. */
class DiffColors {
  readonly #hunk = new HunkLines();
  #isHead = false;

  /** @param line the next one @returns names as in `TerminalRun` */
  of(line: string): string | undefined {
    if (this.#hunk.isOpen) {
      this.#hunk.take(line);
      return line.startsWith('+') ? 'fg-2' : line.startsWith('-') ? 'fg-1' : undefined;
    }
    if (this.#hunk.begin(line)) {
      this.#isHead = false;
      return 'fg-6';
    }
    // Other lines look like a heading only between this one and the first hunk.
    this.#isHead =
      line.startsWith('diff --git ') ||
      (this.#isHead &&
        /^(?:index |--- |\+\+\+ |(?:old|new|deleted file|new file) mode |similarity |rename |copy |Binary files )/.test(
          line,
        ));
    return this.#isHead ? 'b' : undefined;
  }
}
