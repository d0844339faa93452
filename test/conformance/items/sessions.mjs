import { items } from '../item.mjs';

/** Opening, leaving and finding sessions again. */
export const sessions = items(
  [52, 'M', 'a-session-has-an-absolute-folder', 'session/new comes after initialize, with an absolute cwd.', 'session setup', ['vscode/e2e/conformance › 22, 52, 53, 55, 72 ']],
  [53, 'M', 'mcp-servers-are-always-a-list', 'mcpServers is there and a list, empty if there are none.', 'session setup', ['vscode/e2e/conformance › 22, 52, 53, 55, 72 ']],
  [54, 'M', 'ids-belong-to-their-agent', 'A session\'s id is used with the process that gave it and no other.', 'session setup', ['unit/host/sessions/sessionRouter › 054: ', 'stdio/openSession › 54 ', 'vscode/e2e/trouble › Restart while a turn runs']],
  [55, 'M', 'nothing-before-the-session-is-there', 'No prompt, cancel or set_mode before a session is open.', 'session setup', ['conformance/sessions › 55 ', 'vscode/e2e/conformance › 22, 52, 53, 55, 72 ']],
  [56, 'M', 'load-only-where-offered', 'session/load only where loadSession is true.', 'session setup', ['conformance/sessions › 56, 57 ', 'stdio/openSession › 56, 57 ']],
  [57, 'M', 'each-session-method-by-its-capability', 'resume, list, delete, close, fork, archive and set_title each only with its capability.', 'session setup', ['conformance/sessions › 56, 57 ', 'stdio/openSession › 57, 62 ', 'stdio/openSession › 57 ']],
  [58, 'M', 'load-names-session-folder-and-servers', 'session/load has sessionId, cwd and mcpServers.', 'session setup', ['stdio/openSession › 58, 60 ']],
  [59, 'M', 'a-replay-is-history', 'What is replayed before the answer to load is shown in order; null, {} and more all end the loading.', 'session setup', ['stdio/openSession › 59 what', 'stdio/openSession › 59 an answer']],
  [60, 'R', 'a-late-replay-is-appended', 'Replay after the answer is shown too, and the box can be used.', 'ours', ['stdio/openSession › 60 what', 'stdio/openSession › 58, 60 ']],
  [61, 'R', 'a-failed-load-begins-anew', 'When loading fails a new session can be begun.', 'ours', ['stdio/openSession › 61 ']],
  [62, 'M', 'resume-keeps-the-transcript', 'After resume the thread stands as it was, nothing twice.', 'session setup', ['stdio/openSession › 57, 62 ', 'stdio/openSession › 58, 60 ']],
  [63, 'R', 'updates-before-the-session-are-kept', 'Updates that come before the answer to session/new are applied after it.', 'ours', ['stdio/turns › 63 ', 'unit/host/sessions/sessionRouter › 063: ']],
  [64, 'R', 'unknown-sessions-fill-no-memory', 'Updates for sessions that nobody knows are dropped beyond a bound, with a line in the log.', 'ours', ['stdio/turns › 64 ', 'unit/host/sessions/sessionRouter › 064: ', 'unit/traces/replay']],
  [65, 'M', 'servers-only-over-offered-transports', 'HTTP and SSE servers only where the agent takes them; stdio servers without a type.', 'session setup', ['stdio/sessionSetup › 65, 66 ', 'stdio/sessionSetup › 65 stdio only', 'unit/host/mcp/passServers › 65 ', 'vscode/e2e/mcpServers › 65, 66 ']],
  [66, 'M', 'stdio-servers-in-full', 'A stdio server has an absolute command and lists of args and env.', 'session setup', ['stdio/sessionSetup › 65, 66 ', 'unit/host/mcp/passServers › 66 ', 'unit/node/findProgram › item 66: ', 'vscode/e2e/mcpServers › 65, 66 ', 'vscode/e2e/mcpServers › 51, 66 ']],
  [67, 'M', 'more-directories-only-where-offered', 'additionalDirectories only with the capability: absolute, complete, each once.', 'session setup', ['stdio/sessionSetup › 67 ', 'unit/host/sessions/setupView › item 67: ', 'vscode/e2e/sessionFolders › 67 ']],
  [68, 'M', 'lists-are-read-to-their-end', 'session/list follows nextCursor as it is, to its end, and keeps none.', 'session list', ['stdio/openSession › 68 ']],
  [69, 'M', 'directories-are-not-merged', 'What a list says of directories replaces what was known.', 'session list', ['stdio/sessionSetup › 69 ']],
  [70, 'S', 'gone-is-as-good-as-closed', 'close and delete answered -32002 have done their work.', 'schema', ['conformance/sessions › 70 ', 'stdio/openSession › 70 ']],
  [71, 'R', 'sessions-of-one-agent-never-mix', 'Interleaved updates, cancels and questions of two sessions stay with their own.', 'ours', ['stdio/turns › 71 ', 'stdio/permissions › 123 Stop leaves', 'vscode/e2e/sessions › 71 ']],
  [72, 'S', 'the-workspace-is-the-folder', 'A session works in the workspace\'s folder.', 'session setup', ['stdio/handshake › 72 ', 'vscode/e2e/conformance › 22, 52, 53, 55, 72 ']],
  [73, 'R', 'nothing-outlives-the-window', 'When the window goes, questions are answered, stdin is closed and the whole tree of processes ends.', 'ours', ['stdio/cancellation › 73 ', 'stdio/cancellation › 180 ', 'unit/thread/scenarios › 130-', 'vscode/e2e/conformance › 73, 189 ']],
);
