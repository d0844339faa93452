import { items } from '../item.mjs';

const options = 'Config options are being built.';
const elicitation = 'Elicitation is being built.';

/** Modes, options, and what else an agent asks of the person. */
export const modes = items(
  [159, 'M', 'set-mode-by-an-offered-id', 'set_mode names session and mode, and the mode was offered.', 'session modes', ['stdio/extensibility › 159 ', 'conformance/updates › 159 ']],
  [160, 'S', 'modes-at-any-time', 'A mode may be set while a turn runs; after an error the old one is shown.', 'session modes', ['stdio/extensibility › 160 ', 'conformance/updates › 160 ']],
  [161, 'M', 'options-by-their-type', 'A selection sends a string; a switch sends type boolean and a boolean.', 'config options', [], options],
  [162, 'S', 'the-agent-may-change-the-mode', 'A mode that the agent changes by itself is shown.', 'session modes', ['conformance/updates › 162 ', 'vscode/e2e/demo › the mode is chosen from the status bar']],
  [163, 'M', 'forms-are-whole', 'Every kind of property is asked with title and default, required and validated.', 'elicitation', [], elicitation],
  [164, 'M', 'forms-can-be-declined', 'Declining and closing are told apart, and the agent is named.', 'elicitation', [], elicitation],
  [165, 'M', 'addresses-are-shown-first', 'A URL is shown with its host, opened outside only after consent, and ended by complete.', 'elicitation', [], elicitation],
  [166, 'M', 'unknown-modes-are-refused', 'A mode that was not advertised is -32602.', 'elicitation', [], elicitation],
  [167, 'M', 'asked-before-any-session', 'A request during authenticate works without a session.', 'elicitation', [], elicitation],
  [168, 'S', 'forms-go-with-their-turn', 'Stop and the agent\'s end answer open forms with cancel.', 'elicitation', [], elicitation],
  [169, 'M', 'unknown-properties-are-no-controls', 'A property of an unknown type is not shown as a control that it is not.', 'schema', [], elicitation],
);
