import { visibleCode } from '../../src/base/visibleText';
/** A stretch of a command line. */
export interface CommandStep {
  /** What joins it to the one before: "&&", ";", "|", or "" at the beginning and after a line break. */
  readonly operator: string;
  readonly text: string;
  /** It runs inside of the one above: in a substitution, under `sudo`. Its words stand there already. */
  readonly isInner: boolean;
}

/**
 * Lays a command line out by its parts. The words that are shown are those of the command line itself, in its order and
 * without a gap, so that nothing is hidden by a mistake about its parts. What is hidden in them is marked.
 * @param steps the sub-commands as written, in order; those inside of another after it.
 */
export function commandSteps(command: string, steps: readonly string[]): readonly CommandStep[] {
  const laid: CommandStep[] = [];
  let end = 0;
  for (const step of steps) {
    const at = step === '' ? -1 : command.indexOf(step, end);
    if (at < 0) {
      if (step !== '') laid.push({ operator: '', text: visibleCode(step), isInner: true });
      continue;
    }
    laid.push({ operator: shown(command.slice(end, at)), text: visibleCode(step), isInner: false });
    end = at + step.length;
  }
  const rest = shown(command.slice(end));
  // What is left over is a closing bracket, a comment, or something that was not understood.
  return rest === '' ? laid : [...laid, { operator: '', text: rest, isInner: false }];
}

/** Trimmed last: no character that is marked is a blank. */
function shown(text: string): string {
  return visibleCode(text).trim();
}
