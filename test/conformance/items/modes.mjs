import { items } from '../item.mjs';

/** Modes, options, and what else an agent asks of the user. */
export const modes = items(
  [159, 'M', 'set-mode-by-an-offered-id', 'set_mode names session and mode, and the mode was offered.', 'session modes', ['stdio/options › 159 ', 'stdio/extensibility › 159 ']],
  [160, 'S', 'modes-at-any-time', 'A mode may be set while a turn runs; after an error the old one is shown.', 'session modes', ['stdio/options › 160 ', 'stdio/extensibility › 160 ', 'unit/thread/sessionOptions › 160 ', 'webview/options › 160 ']],
  [161, 'M', 'options-by-their-type', 'A selection sends a string; a switch sends type boolean and a boolean.', 'config options', ['stdio/options › 161 ', 'unit/acp/decodeOptions › 161 ']],
  [162, 'S', 'the-agent-may-change-the-mode', 'A mode that the agent changes by itself is shown.', 'session modes', ['conformance/updates › 162 ', 'unit/thread/sessionOptions › 162 ', 'vscode/e2e/demo › the mode is chosen from the status bar']],
  [163, 'M', 'forms-are-whole', 'Every kind of property is asked with title and default, required and validated.', 'elicitation', ['stdio/elicitation › 163 ', 'stdio/elicitation › 163, 169 ', 'unit/acp/decodeElicitation › 163: ', 'unit/thread/formAnswer › 163: ', 'webview/elicitation › 163: ']],
  [164, 'M', 'forms-can-be-declined', 'Declining and closing are told apart, and the agent is named.', 'elicitation', ['stdio/elicitation › 164 ', 'webview/elicitation › 164: ']],
  [165, 'M', 'addresses-are-shown-first', 'A URL is shown with its host, opened outside only after consent, and ended by complete.', 'elicitation', ['stdio/elicitation › 165 ', 'unit/host/platform/webPage › 165: ', 'webview/elicitation › 165: ']],
  [166, 'M', 'unknown-modes-are-refused', 'A mode that was not advertised is -32602.', 'elicitation', ['stdio/elicitation › 166 ']],
  [167, 'M', 'asked-before-any-session', 'A request during authenticate works without a session.', 'elicitation', ['stdio/elicitation › 167 ', 'stdio/signIn › 167: ']],
  [168, 'S', 'forms-go-with-their-turn', 'Stop and the agent\'s end answer open forms with cancel.', 'elicitation', ['stdio/elicitation › 168 ']],
  [169, 'M', 'unknown-properties-are-no-controls', 'A property of an unknown type is not shown as a control that it is not.', 'schema', ['stdio/elicitation › 169 ', 'stdio/elicitation › 163, 169 ', 'unit/acp/decodeElicitation › 169: ', 'unit/view/elicitationView › 169: ', 'webview/elicitation › 169: ']],
);
