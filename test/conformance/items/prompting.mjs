import { items } from '../item.mjs';

/** What a user sends, and how a turn ends. */
export const prompting = items(
  [74, 'M', 'a-prompt-is-a-list-of-blocks', 'prompt is a list of content blocks.', 'prompt turn', ['stdio/turns › 74 ']],
  [75, 'M', 'only-blocks-that-the-agent-takes', 'Images, audio and embedded text only where the agent takes them; files become links, an image is refused with the reason.', 'content', ['webview/attachments › item 75: ', 'vscode/suite/attachments › 75: ', 'unit/host/attachments/promptBlocks › item 76: the blocks of an attachment']],
  [76, 'M', 'resources-are-whole', 'A resource has its URI and text; a link has a URI and a name.', 'schema', ['unit/host/attachments/promptBlocks › item 76: the blocks of an attachment', 'conformance/wire › 4 ']],
  [77, 'S', 'mentions-are-embedded', 'A mentioned file is embedded where the agent takes embedded context.', 'content', ['vscode/suite/attachments › 77, 78: ']],
  [78, 'M', 'unsaved-text-is-what-is-sent', 'What is embedded or read is the editor\'s text.', 'file system', ['vscode/suite/readTextFile › 133: gives unsaved text', 'vscode/suite/attachments › 78: ', 'vscode/suite/attachments › 77, 78: ', 'vscode/e2e/demo › unsaved text is what the agent reads']],
  [79, 'M', 'a-turn-has-no-time-limit', 'A silent agent is waited for without a limit, and can be stopped.', 'prompt turn', ['stdio/turns › 79 ']],
  [80, 'M', 'each-stop-reason-has-its-words', 'Each stop reason ends the turn in its own words, an unknown one neutrally.', 'prompt turn', ['stdio/turns › 80 ', 'unit/thread/scenarios › 080-']],
  [81, 'S', 'a-refusal-is-marked', 'A refused prompt and what followed are marked as not part of the context.', 'schema', ['stdio/turns › 81 ', 'unit/thread/scenarios › 081-', 'webview/thread › marks a prompt that the agent has dropped']],
  [82, 'R', 'an-error-ends-the-turn', 'An error of a prompt is shown, the box works again and the text can be had back.', 'ours', ['stdio/turns › 82 ', 'unit/thread/scenarios › 082-', 'unit/fuzz/responses › 82, 205: ', 'webview/composer › takes a prompt back, before what was typed since']],
  [83, 'M', 'responses-are-no-messages', 'Only updates are content.', 'prompt turn', ['stdio/turns › 83 ', 'unit/thread/scenarios › 083-']],
  [84, 'S', 'one-prompt-at-a-time', 'A second prompt waits in a queue until the turn has ended.', 'prompt turn', ['stdio/turns › 84 ', 'unit/host/sessions/promptQueue › 084: ', 'vscode/e2e/sessions › 84 ', 'unit/thread/scenarios › 084-']],
  [85, 'S', 'updates-between-turns-are-shown', 'Updates outside a turn are shown.', 'prompt turn', ['stdio/turns › 85 ', 'unit/thread/scenarios › 085-']],
  [86, 'M', 'commands-are-text', 'A slash command is text beside the other blocks.', 'slash commands', ['stdio/turns › 86 ', 'unit/host/attachments/promptBlocks › item 86: ', 'webview/composer › that are typed out are sent by one Enter']],
  [87, 'R', 'updates-come-before-the-end', 'Every update before the answer is applied before the turn ends.', 'ours', ['stdio/turns › 87 ', 'stdio/turns › 87, 178 ']],
  [202, 'M', 'the-happy-path', 'From initialize over plan, tools, question, file and terminal to the end.', 'overview', ['stdio/turns › 202 ', 'vscode/e2e/signIn › 202: ']],
  [203, 'S', 'text-is-seen-as-it-comes', 'Chunks are seen while the turn runs.', 'prompt turn', ['stdio/turns › 203 ', 'webview/thread › appends streamed text to its message']],
  [204, 'S', 'a-failed-tool-fails-no-turn', 'A failed tool call does not end or fail the turn.', 'tool calls', ['stdio/turns › 204 ', 'unit/thread/scenarios › 204-']],
  [205, 'S', 'rate-limits-tell-the-time', 'An error with retryAfter tells when to try again.', 'ours', ['stdio/turns › 205 ', 'unit/thread/scenarios › 205-', 'unit/fuzz/responses › 82, 205: ']],
);
