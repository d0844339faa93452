import { items } from '../item.mjs';

/** session/request_permission: what the user is asked. */
export const permissions = items(
  [120, 'M', 'questions-in-the-agents-words', 'A question shows title, content and options in the agent\'s words and order.', 'tool calls', ['stdio/permissions › 120 ', 'webview/permission › shows the whole command', 'webview/permission › shows the diff']],
  [121, 'M', 'the-offered-option-is-answered', 'The answer is the optionId that was offered, also where kinds repeat and ids are odd.', 'tool calls', ['stdio/permissions › 121 ', 'unit/thread/scenarios › 121-']],
  [122, 'M', 'nobody-but-the-person-allows', 'Nothing is answered without the user, or a rule that the user wrote for it.', 'tool calls', ['stdio/permissions › 122 ', 'stdio/permissionRules › 122 ', 'unit/permission/rules › item 122: ', 'unit/thread/scenarios › 122-']],
  [123, 'M', 'cancel-answers-every-pending-permission', 'Stop answers every waiting question of its session with cancelled.', 'prompt turn', ['stdio/permissions › 123 ', 'unit/thread/scenarios › 123-', 'vscode/e2e/trouble › five questions at once']],
  [124, 'M', 'a-question-after-cancel-is-cancelled', 'A question that comes after Stop is answered cancelled and never shown.', 'prompt turn', ['stdio/permissions › 124 ', 'unit/thread/scenarios › 124-']],
  [125, 'R', 'looking-away-allows-nothing', 'Escape, hiding and closing the panel never allow: the question stays.', 'ours', ['vscode/e2e/conformance › 125, 190 ', 'webview/permissionKeys › takes no focus and no answer']],
  [126, 'M', 'a-question-makes-its-call', 'The tool call in a question is upserted, also when none came before.', 'schema', ['stdio/permissions › 126 ', 'unit/thread/scenarios › 126-', 'stdio/transcripts › gemini: a question without a tool call']],
  [127, 'R', 'questions-are-kept-apart', 'Several questions are each answered to their own request.', 'ours', ['stdio/permissions › 127 ', 'unit/thread/scenarios › 127-', 'webview/permission › keeps several questions apart']],
  [128, 'R', 'odd-options-are-neutral', 'Unknown kinds are shown neutrally; no options at all is -32602.', 'ours', ['stdio/permissions › 128 ', 'unit/thread/scenarios › 128-']],
  [129, 'M', 'a-withdrawn-question-goes', '$/cancel_request takes the question away and answers it once; a later click does nothing.', 'cancellation', ['stdio/permissions › 129 ', 'unit/thread/scenarios › 129-', 'webview/permission › folds to the decision']],
  [130, 'R', 'questions-go-with-their-agent', 'When the agent dies its questions go.', 'ours', ['stdio/permissions › 130 ', 'stdio/cancellation › 130 ', 'unit/thread/scenarios › 130-']],
  [131, 'S', 'always-is-the-agents-affair', 'allow_always goes to the agent; we remember nothing by ourselves.', 'tool calls', ['stdio/permissions › 131 ', 'stdio/permissionRules › 131 ']],
  [132, 'R', 'a-hidden-question-is-noticed', 'A question out of sight brings the user there and is not lost.', 'ours', ['vscode/e2e/trouble › a question that waits out of sight', 'webview/permission › is announced']],
);
