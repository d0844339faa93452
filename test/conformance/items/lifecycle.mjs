import { items } from '../item.mjs';

/** Stopping, ending, and what agents and we may add. */
export const lifecycle = items(
  [170, 'M', 'stop-is-one-notification', 'Stop sends exactly one session/cancel, without an id.', 'prompt turn', ['stdio/cancellation › 170 ', 'unit/thread/scenarios › 170-']],
  [171, 'S', 'open-calls-are-cancelled-at-once', 'Unfinished calls are shown as cancelled at once.', 'prompt turn', ['stdio/cancellation › 171 ', 'unit/thread/scenarios › 171-']],
  [172, 'S', 'the-agent-has-the-last-word', 'Updates after Stop are taken; a real status replaces ours.', 'prompt turn', ['stdio/cancellation › 172 ', 'unit/thread/scenarios › 172-']],
  [173, 'M', 'the-answer-ends-the-turn', 'A turn ends with the answer to its prompt; cancelled is shown as stopped.', 'prompt turn', ['stdio/cancellation › 173 ', 'unit/thread/scenarios › 173-', 'vscode/e2e/demo › Stop ends the turn']],
  [174, 'R', 'an-error-after-stop-is-the-stop', 'An error in answer to Stop is the stop.', 'ours', ['stdio/cancellation › 174 ', 'unit/thread/scenarios › 174-']],
  [175, 'R', 'stop-can-be-forced', 'An agent that ignores Stop can be ended, and the thread goes on.', 'ours', ['stdio/cancellation › 175 ', 'vscode/e2e/trouble › an agent that ignores Stop']],
  [176, 'R', 'stop-without-a-turn-is-nothing', 'Without a turn, Stop sends nothing.', 'ours', ['stdio/cancellation › 176 ', 'unit/thread/scenarios › 176-']],
  [177, 'M', 'withdrawn-requests-end-once', '$/cancel_request ends waits, reads and questions with one answer; an unknown id is ignored.', 'cancellation', ['stdio/cancellation › 177 ', 'stdio/terminals › 177: ', 'stdio/permissions › 129, 177 ', 'stdio/elicitation › 177 ', 'vscode/suite/readTextFile › 177: ']],
  [178, 'R', 'a-crash-is-survived', 'A crash ends the turn and every call, the thread stays, and a restart is offered, not made.', 'ours', ['stdio/turns › 178 ', 'stdio/turns › 87, 178 ', 'vscode/e2e/trouble › an agent that dies']],
  [179, 'R', 'a-closed-pipe-never-throws', 'Writing to an agent that is gone never throws outside the call.', 'ours', ['stdio/turns › 179 ', 'stdio/handshake › 32 an agent that is gone']],
  [180, 'S', 'a-polite-end', 'Stdin is closed first; then SIGTERM, then SIGKILL.', 'transports', ['stdio/cancellation › 180 ']],
  [181, 'M', 'unknown-requests-are-refused', 'An unknown request is -32601 with its id.', 'extensibility', ['stdio/extensibility › 181, 187 ', 'unit/fuzz/incoming › 14, 181: ']],
  [182, 'S', 'unknown-notifications-are-ignored', 'An unknown notification is ignored.', 'extensibility', ['stdio/extensibility › 182, 187 ', 'unit/fuzz/incoming › 13, 182: ']],
  [183, 'M', 'extras-only-in-meta', 'We add no fields to the protocol\'s types; extras stand in _meta.', 'extensibility', ['stdio/extensibility › 183 ', 'conformance/wire › 4 ']],
  [184, 'S', 'vendor-methods-only-when-offered', 'We call no vendor method that was not advertised.', 'extensibility', ['stdio/extensibility › 184 ']],
  [185, 'S', 'trace-context-is-w3c', 'traceparent in _meta is W3C trace context and nothing else.', 'extensibility', ['stdio/extensibility › 185 ']],
  [186, 'S', 'our-extensions-are-advertised', 'Abilities beyond the schema stand in clientCapabilities._meta.', 'extensibility', ['stdio/extensibility › 186 ']],
  [187, 'R', 'methods-are-case-sensitive', 'Method names are case-sensitive; unknown $/ notifications are ignored.', 'ours', ['stdio/extensibility › 181, 187 ', 'stdio/extensibility › 182, 187 ', 'unit/fuzz/incoming › 13, 182: ']],
  [188, 'S', 'a-registry-is-checked', 'Where agents come from a registry, what is downloaded is checked.', 'registry', ['conformance/networkRequests › 188 ', 'unit/node/archivePackages › with another checksum', 'unit/node/archivePackages › that is hostile leaves nothing', 'unit/node/indexCache › is downloaded once', 'unit/registry/decodeIndex']],
  [189, 'R', 'an-untrusted-workspace-runs-nothing', 'In Restricted Mode no agent is started; a workspace chooses no command.', 'ours', ['vscode/e2e/trouble › Restricted Mode starts nothing', 'vscode/e2e/conformance › 73, 189 ']],
  [190, 'R', 'agent-strings-are-text', 'What an agent names is shown as text, and links lead only where they may.', 'ours', ['unit/host/platform/plainText', 'unit/webview/links', 'webview/markdown › hostile Markdown', 'vscode/e2e/conformance › 125, 190 ']],
  [201, 'S', 'our-errors-are-plain', 'Our errors have a code and a sentence, no stack and no secret, and every failure is told.', 'JSON-RPC 2.0', ['stdio/rpc › 201 ', 'stdio/rpc › 14 a request is answered once even when the handler fails', 'unit/fuzz/incoming › 14, 201: ']],
  [206, 'Y', 'inbound-lines-are-validated-in-development', 'A development build validates what an agent says against the schema.', 'ours', [], 'Decoders log what they cannot use in every build; the schema and its validator would make the bundle a third larger for a check that the tests make already.'],
  [207, 'Y', 'requests-can-be-correlated', 'Requests may carry correlation data in _meta.', 'extensibility', [], 'Parley sends no trace context: no agent is known that reads it, and a log must not change what is sent.'],
);
