import { items } from '../item.mjs';

/** fs/*: the editor's files. */
export const files = items(
  [133, 'M', 'unsaved-text-over-disk', 'A read gives the editor\'s unsaved text.', 'file system', ['vscode/suite/readTextFile › 133: ', 'vscode/e2e/demo › unsaved text is what the agent reads']],
  [134, 'M', 'line-and-limit', 'line counts from 1, limit counts lines; beyond the end is empty, null is absent.', 'file system', ['vscode/suite/readTextFile › 134: ', 'unit/thread/terminalOutput › the lines that a read asks for']],
  [135, 'M', 'only-absolute-paths', 'A relative path is -32602 and touches nothing.', 'file system', ['vscode/suite/readTextFile › 135: ', 'unit/host/files/pathPolicy › absolute paths']],
  [136, 'S', 'what-cannot-be-read-is-told', 'A missing file is -32002 with its URI; a folder, binary or huge file is a clear error.', 'schema', ['vscode/suite/readTextFile › 136: ']],
  [137, 'M', 'a-write-creates', 'A write creates the file and its folders.', 'file system', ['vscode/suite/writeTextFile › 137: ']],
  [138, 'M', 'a-write-goes-through-the-editor', 'An open file is written through its document: buffer, undo and the user\'s text are kept.', 'file system', ['vscode/suite/writeTextFile › 138: ']],
  [139, 'S', 'bytes-stay-as-they-were', 'Line ends, encoding and byte order mark stay.', 'ours', ['vscode/suite/readTextFile › 139: ', 'vscode/suite/writeTextFile › 139: ']],
  [140, 'R', 'odd-and-outside-paths', 'Odd names work; what leads out of the workspace is asked about.', 'ours', ['vscode/suite/readTextFile › 140: ', 'vscode/suite/writeTextFile › 140: ', 'unit/host/files/pathPolicy › where a path leads', 'vscode/e2e/trouble › a file outside the workspace']],
  [141, 'R', 'reads-follow-writes', 'A read after a write sees it; many reads at once are each answered.', 'ours', ['stdio/rpc › 141 ', 'vscode/suite/readTextFile › 141: ', 'vscode/suite/writeTextFile › 141: ']],
  [142, 'M', 'an-unknown-session-is-an-error', 'A request for a session that nobody opened is an error.', 'schema', ['stdio/permissions › 142 ', 'stdio/terminals › 142: ', 'stdio/elicitation › 142 ', 'unit/host/sessions/sessionRouter › 142: ', 'vscode/suite/readTextFile › 142: ']],
  [143, 'Y', 'writes-can-be-reviewed', 'Files that an agent wrote are listed for review.', 'ours', ['vscode/suite/review › 143: ', 'vscode/e2e/demo › an edit asks with its diff']],
);
