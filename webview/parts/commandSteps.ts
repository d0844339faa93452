import { visibleCode } from '../../src/base/visibleText';
/** A part of a command line. */
export interface CommandStep {
  /** Its operator after the previous part: "&&", ";", "|", or "" at the beginning and after a line break. */
  readonly operator: string;
  readonly text: string;
  /** It runs inside of the part above: in a substitution, under `sudo`. Its words are already shown there. */
  readonly isInner: boolean;
}

/**
 * Splits a command line into its parts for display. The shown words are those of the command line itself, in order and
 * without gaps, so that a parsing mistake hides nothing. Hidden characters are marked.
 * @param steps the sub-commands as written, in order; inner ones after the outer one.
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
  // The rest is a closing bracket, a comment, or an unparsed part.
  return rest === '' ? laid : [...laid, { operator: '', text: rest, isInner: false }];
}

/** Trims last: a marked character is never a blank. */
function shown(text: string): string {
  return visibleCode(text).trim();
}
