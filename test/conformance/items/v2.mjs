import { items } from '../item.mjs';

/** The draft of version 2, behind a setting. */
export const v2 = items(
  [191, 'M', 'v2-initialize', 'initialize of version 2 has info and capability objects.', 'schema v2', ['stdio/v2 › 191 ', 'unit/acp/v2 › 191: ']],
  [192, 'M', 'v2-the-state-ends-the-turn', 'The answer to a prompt does not end the turn; an idle state does, with its reason.', 'schema v2', ['stdio/v2Turns › 192 ', 'unit/thread/scenarios › v2-192-', 'unit/acp/v2 › 192, 194: ', 'unit/fuzz/v2 › 192, 194: ', 'vscode/e2e/v2 › 191 to 200: ']],
  [193, 'M', 'v2-upserts', 'Messages, tools and terminals: omit keeps, null clears, lists replace, chunks append.', 'schema v2', ['stdio/v2Updates › 193', 'unit/thread/scenarios › v2-193-', 'unit/acp/v2 › 193: ', 'unit/fuzz/v2 › 193: ', 'unit/host/terminals/terminalCard › 193, 195: ', 'webview/draft › 193: ']],
  [194, 'M', 'v2-unknown-states', 'An unknown state is never idle; idle again is no second end.', 'schema v2', ['stdio/v2Turns › 194 ', 'unit/thread/scenarios › v2-194-']],
  [195, 'M', 'v2-terminal-bytes', 'Terminal chunks are decoded one by one, with the state of the decoder kept.', 'v2 tool calls', ['stdio/v2Updates › 193, 195 ', 'unit/acp/v2 › 195: ', 'unit/host/terminals/terminalCard › 193, 195: ']],
  [196, 'M', 'v2-cancel-what-can-be', 'A call or terminal is cancelled only while it says that it can be.', 'schema v2', ['stdio/v2Updates › 196 ', 'unit/thread/scenarios › v2-196-', 'webview/draft › 196: ']],
  [197, 'M', 'v2-resume-replays', 'resume with replayFrom replaces load.', 'schema v2', ['stdio/v2 › 197 ']],
  [198, 'M', 'v2-has-no-v1-methods', 'Methods that version 2 has not are neither sent nor served.', 'v2 migration', ['stdio/v2 › 198 ', 'unit/thread/scenarios › v2-198-']],
  [199, 'M', 'v2-falls-back', 'An agent that answers 1 is spoken to in version 1.', 'v2 migration', ['stdio/v2 › 199 ', 'vscode/e2e/v2 › 199: ']],
  [200, 'M', 'v2-permission-subjects', 'A question without a known subject is asked by its title and description.', 'schema v2', ['stdio/v2 › 200 ', 'unit/thread/scenarios › v2-200-', 'unit/acp/v2 › 200: ', 'unit/fuzz/v2 › 200, 201: ', 'webview/draft › 200: ']],
);
