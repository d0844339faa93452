import { items } from '../item.mjs';

const options = 'Config options are being built.';

/** session/update: what the person sees of an agent's work. */
export const updates = items(
  [88, 'M', 'chunks-append-in-order', 'A thousand chunks are exactly their concatenation.', 'prompt turn', ['stdio/turns › 88 ', 'unit/thread/scenarios › 088-']],
  [89, 'S', 'text-is-markdown-and-harmless', 'Text is Markdown; HTML and scripts in it do nothing.', 'content', ['webview/markdown › shows each kind of block', 'webview/markdown › hostile Markdown']],
  [90, 'M', 'messages-by-their-id', 'Another messageId is another message; the same one goes on after a tool call.', 'prompt turn', ['unit/thread/scenarios › 090-']],
  [91, 'R', 'without-ids-by-kind', 'Without ids, thoughts and messages alternate as entries of their own.', 'ours', ['unit/thread/scenarios › 091-']],
  [92, 'M', 'thoughts-are-apart', 'Thoughts are shown apart from messages.', 'schema', ['unit/thread/scenarios › 091-', 'webview/thread › opens a thought only on demand']],
  [93, 'M', 'user-chunks-are-history', 'User chunks are shown on replay; an echo of the prompt is not shown twice.', 'session setup', ['unit/thread/scenarios › 093-']],
  [94, 'M', 'every-block-is-shown', 'Images, audio, resources and links are shown; an unknown block is named.', 'content', ['unit/thread/scenarios › 094-', 'webview/thread › shows what a message holds besides text']],
  [95, 'M', 'a-tool-call-has-defaults', 'A tool call without kind and status is other and pending.', 'tool calls', ['unit/thread/scenarios › 095-']],
  [96, 'M', 'tool-updates-merge', 'Absent and null fields stay; lists are replaced whole, and [] clears.', 'tool calls', ['unit/thread/scenarios › 096-']],
  [97, 'R', 'calls-are-upserted', 'An update of an unknown call makes it; a second tool_call updates it.', 'ours', ['unit/thread/scenarios › 097-']],
  [98, 'R', 'a-call-needs-no-title', 'A call without title is named by its kind.', 'ours', ['unit/thread/scenarios › 098-', 'unit/fuzz/incoming › 105, 115, 116: any JSON anywhere in']],
  [99, 'M', 'each-status-is-shown', 'pending, in progress, completed and failed are shown, also late ones.', 'tool calls', ['unit/thread/scenarios › 099-', 'unit/view/toolCallView › is shown as']],
  [100, 'S', 'a-name-is-secondary', 'A tool\'s name is a secondary label.', 'schema', ['unit/thread/scenarios › 100-']],
  [101, 'M', 'diffs-are-shown-and-opened', 'New, changed and emptied files are shown as diffs and open in the diff editor; a relative path is resolved.', 'tool calls', ['unit/thread/scenarios › 101-', 'unit/view/toolCallView › labels', 'webview/toolCalls › shows its hunks and counts', 'vscode/suite/review › opens a tool call']],
  [102, 'M', 'terminals-in-calls-are-live', 'A terminal in a call shows its output as it comes, and after release.', 'terminals', ['stdio/terminals › 152: ', 'webview/toolCalls › follows its output row by row', 'vscode/e2e/demo › a command runs in a real terminal']],
  [103, 'M', 'locations-open-their-line', 'A location opens its file at the line; no line, 0 and a line too far do no harm.', 'tool calls', ['unit/thread/scenarios › 103-', 'webview/toolCalls › is one line when finished', 'vscode/e2e/conformance › 103 ']],
  [104, 'M', 'plans-are-replaced-whole', 'Each plan replaces the last; [] takes it away.', 'plan', ['unit/thread/scenarios › 104-', 'webview/dockAndFaces › is one line with its progress']],
  [105, 'R', 'a-bad-item-costs-only-itself', 'Malformed items of lists are skipped, the others stay.', 'schema', ['unit/thread/scenarios › 105-', 'unit/fuzz/incoming › 105, 115, 116: any JSON anywhere in']],
  [106, 'M', 'commands-are-replaced-at-any-time', 'available_commands_update replaces the list; the hint is shown, null is no hint.', 'slash commands', ['conformance/updates › 106 ', 'webview/composer › show the hint for their input', 'webview/composer › appear when the agent tells them']],
  [107, 'M', 'the-mode-follows-the-agent', 'current_mode_update moves the choice; an unknown mode is shown by its id.', 'session modes', ['conformance/updates › 107 ']],
  [108, 'M', 'options-are-replaced-whole', 'Each list of config options replaces the last.', 'config options', [], options],
  [109, 'S', 'options-in-the-agents-order', 'Options stand in the agent\'s order; unknown types are left out, unknown categories are fine.', 'config options', [], options],
  [110, 'S', 'options-instead-of-modes', 'Where there are config options, modes are not shown beside them.', 'config options', [], options],
  [111, 'M', 'the-title-is-patched', 'session_info_update: absent keeps, null clears, a value sets.', 'session list', ['conformance/updates › 111 ']],
  [112, 'M', 'usage-is-shown', 'Used and size are shown, cost where given; size 0 is no number, a missing cost keeps the last.', 'schema', ['unit/thread/scenarios › 112-', 'unit/webview/gauge', 'webview/updates › shows a percentage', 'webview/updates › shows tokens without a ring']],
  [113, 'M', 'notices-are-shown', 'A notice is shown with its severity, an unknown one neutrally, and is no history.', 'schema', ['unit/thread/scenarios › 113-', 'webview/updates › show the newest with its severity']],
  [114, 'M', 'compaction-is-shown', 'A compaction is shown where it began and patched in place.', 'schema', ['unit/thread/scenarios › 114-', 'webview/updates › is a line that opens its summary']],
  [115, 'M', 'unknown-updates-are-passed-over', 'An update of an unknown kind is passed over, and the next is applied.', 'extensibility', ['stdio/turns › 115 ', 'unit/thread/scenarios › 115-', 'unit/fuzz/incoming › 105, 115, 116: any JSON anywhere in', 'unit/traces/replay']],
  [116, 'M', 'unknown-meta-anywhere', 'Unknown _meta and fields are never an error.', 'extensibility', ['stdio/turns › 116 ', 'unit/fuzz/incoming › 105, 115, 116: any JSON anywhere in']],
  [117, 'R', 'terminals-that-agents-run', 'Output told in _meta is shown as a terminal, also before its start and without an end.', 'ours', ['stdio/extensibility › 117 ', 'stdio/terminals › shows output that comes before its start', 'stdio/transcripts › codex: a command is asked for', 'vscode/e2e/trouble › output of a command that the agent runs itself']],
  [118, 'S', 'raw-input-and-output-of-any-type', 'rawInput and rawOutput may be any JSON and can be looked at.', 'tool calls', ['unit/thread/scenarios › 118-', 'unit/view/toolCallView › bounds raw output', 'webview/toolCalls › is one line when finished']],
  [119, 'R', 'a-burst-stays-in-order', 'Thousands of updates in a second keep their order and cost a frame each at most.', 'ours', ['stdio/turns › 119 ', 'unit/view/publisher › sends what comes within a frame as one message']],
);
