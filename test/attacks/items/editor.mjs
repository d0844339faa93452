import { attack } from '../attack.mjs';

/** What asks for the editor's tools, and what their answers contain. */
export const editor = [
  attack(
    'editor-token',
    'A program connects to the socket of the editor’s tools without the token, with a wrong one, or with that of another session; a web page sends an HTTP request; another user opens the socket.',
    'It gets no answer and is cut off. Only this user can open the socket, and it ends with the session.',
    [
      'stdio/editorServer › serves nobody without the token',
      'stdio/editorServer › does not take the token of another session',
      'stdio/editorServer › is open to this user only, and gone with the session',
    ],
  ),
  attack(
    'editor-paths',
    'A tool of the editor is asked about `/etc/passwd`, `..`, or a file behind a link that leads out of the session’s folders.',
    'Nothing outside of the session’s folders is in an answer, or changed.',
    ['vscode/suite/editorTools › goes nowhere outside the session’s folders, also through links'],
  ),
  attack(
    'editor-flood',
    'A language server answers 10 MB, never, or with an error; an agent sends a call of 5 MB, arguments of wrong types, or names that are commands.',
    'The model reads a short answer that says what is wrong. The session goes on.',
    [
      'stdio/editorServer › gets an answer of ten megabytes through',
      'unit/editor/toolInput › is never longer than its limit',
      'unit/editor/toolInput › what is wrong is said',
      'unit/host/editor/askLanguage › that is never answered ends in words',
      'unit/host/editor/askLanguage › that fails says why',
    ],
  ),
  attack(
    'editor-names',
    'An agent gives a command, an edit or a deletion the name of a tool of the editor that only reads, so that a rule for these allows it.',
    'The rule does not answer it.',
    ['unit/permission/rules › does not answer what only has the name of a tool'],
  ),
  attack(
    'editor-relay',
    'Another extension brings a tool with the name of one that the user chose, of one that only reads, or with characters that mislead; it is replaced while the user is asked; its description, schema or answer is endless; an agent gives its input the form of a command or a plan; a workspace is not trusted.',
    'Nothing runs that the user did not choose from this extension and agree to with its whole input. What the agent gets is bounded.',
    [
      'unit/host/editor/relayedTools › are neither listed nor called in',
      'unit/host/editor/relayedTools › are not called if',
      'unit/host/editor/relayedTools › show names that mislead as they are',
      'unit/host/editor/relayedTools › get exactly what was shown of an input that is too deep',
      'unit/host/editor/relayedAnswer › is bounded',
      'unit/host/editor/askToRun › shows all of an input, none of which has a meaning for the card',
      'unit/editor/relayedTool › is none of Parley’s own, and no rule for these covers it',
      'unit/editor/relayedTool › survives a schema without an end, and a deep one',
    ],
  ),
];
