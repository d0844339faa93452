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
 * without a gap, so that nothing is hidden by a mistake about its parts.
 * @param steps the sub-commands as written, in order; those inside of another after it.
 */
export function commandSteps(command: string, steps: readonly string[]): readonly CommandStep[] {
  const laid: CommandStep[] = [];
  let end = 0;
  for (const step of steps) {
    const at = step === '' ? -1 : command.indexOf(step, end);
    if (at < 0) {
      if (step !== '') laid.push({ operator: '', text: step, isInner: true });
      continue;
    }
    laid.push({ operator: command.slice(end, at).trim(), text: step, isInner: false });
    end = at + step.length;
  }
  const rest = command.slice(end).trim();
  // What is left over is a closing bracket, a comment, or something that was not understood.
  return rest === '' ? laid : [...laid, { operator: '', text: rest, isInner: false }];
}

/** Characters that would reorder or hide what is around them. */
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** The text with what cannot be seen made visible: "\u202e" instead of the character that turns the line round. */
export function withUnseenShown(text: string): string {
  return text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
