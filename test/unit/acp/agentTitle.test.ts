import { expect, it } from 'vitest';
import { agentTitle } from '../../../src/acp/agentTitle';
import { workTime } from '../../fakes/workTime';

const prompt = 'Please fix the build. '.repeat(140).trim();

it.each<[raw: string | undefined, title: string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['Fix the build', 'Fix the build'],
  ['[{"type":"text","text":"Fix \\"the\\" build"}]', 'Fix "the" build'],
  ['{"role":"user","content":"Fix the build"}', 'Fix the build'],
  ['[{"type":"text","text":"Fix the bu', 'Fix the bu'],
  ['{"a": 1} is no JSON-RPC', '{"a": 1} is no JSON-RPC'],
  ['{ text } in a template', '{ text } in a template'],
  ['  Fix\nthe build ', 'Fix\nthe build'],
  ['<command-message>clear</command-message>\n<command-name>/clear</command-name>', '/clear'],
  [
    '<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>src/a.ts</command-args>',
    '/review src/a.ts',
  ],
  [
    '<local-command-caveat>Caveat: the messages below</local-command-caveat>\n<command-name>/model</command-name>',
    '/model',
  ],
  ['<local-command-stdout>Set model</local-command-stdout>', undefined],
  ['<system-reminder>\nToday is Monday.\n</system-reminder>\nFix the build', 'Fix the build'],
  ['<environment_context>\n<cwd>/w</cwd>\n</environment_context>', undefined],
  ['<environment_context>\n<cwd>/w', undefined],
  ['<user_query>Fix the build</user_query>', 'Fix the build'],
  ['# AGENTS.md instructions for /demo/x\n\n<INSTRUCTIONS>\nAlways', undefined],
  ['<INSTRUCTIONS>Always</INSTRUCTIONS>Fix it', 'Fix it'],
  ['<ide_opened_file>The user opened a.ts</ide_opened_file>\nFix it', 'Fix it'],
  ['<attached_files>\na.ts\n</attached_files>\nFix it', 'Fix it'],
  ['<attached_file path="a.ts">x</attached_file>Fix it', 'Fix it'],
  ['<user_info>Linux</user_info>\n\n<user_query>\nFix it\n</user_query>', 'Fix it'],
  ['<task-notification>done</task-notification>', undefined],
  ['<bash-input>ls</bash-input>', 'ls'],
  ['**Fix** the `build` in [a.ts](src/a.ts)', 'Fix the build in a.ts'],
  ['Why is __init__ * empty *?', 'Why is __init__ * empty *?'],
  ['> Fix it', 'Fix it'],
  ['<my-tag class="x"> is not centered', '<my-tag class="x"> is not centered'],
  // Somebody asks about a tag.
  ['<div> is not centered', '<div> is not centered'],
  ['<UserCard /> flickers', '<UserCard /> flickers'],
  ['Why is <my-tag> empty?', 'Why is <my-tag> empty?'],
  [`${prompt}\n\n\`\`\`ts\nconst x = 1\n\`\`\``, prompt],
  ['# Fix the build\n\nIt is red.', 'Fix the build'],
  ['ACP Session 0f8fad5b-d9cb-469f-a165-70867728950e', undefined],
  ['0f8fad5b-d9cb-469f-a165-70867728950e', undefined],
  ['ses_5c2f4b8a9ffeK3v9XlqUZbW1Tz', undefined],
  ['Session 01JZ8Y3N5T7Q9W2E4R6T8Y0U1I', undefined],
  ['New session - 2026-07-10T14:30:00.000Z', undefined],
  ['Chat 2026-07-10 14:30', undefined],
  ['deadbeefdeadbeefdeadbeef', undefined],
  ['Untitled', 'Untitled'],
  ['New session', 'New session'],
  ['Fix 0f8fad5b-d9cb-469f-a165-70867728950e', 'Fix 0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['Plan for 2026-07-10', 'Plan for 2026-07-10'],
  ['2026', '2026'],
  ['<think>They want a fix.</think>Fix the build', 'Fix the build'],
  ['<task>\nFix the build\n</task>', 'Fix the build'],
  ['<context>x</context> Fix it', 'Fix it'],
  ['<title>Fix it</title>', 'Fix it'],
  ['<title> is missing on each page', '<title> is missing on each page'],
  ['<!-- from a template -->\nFix it', 'Fix it'],
  ['\u001b[31mFix\u001b[0m it', 'Fix it'],
  ['\u0000\u0007', undefined],
  [' \u200b\u2060 ', undefined],
  ['null', undefined],
  ['undefined', undefined],
  ['session-1a2b', undefined],
  ['thread_0042', undefined],
  ['20260710_143000', undefined],
  ['1767225600000', undefined],
  ['Fix thread_0042', 'Fix thread_0042'],
  ['Call 1767225600', 'Call 1767225600'],
  ['```ts\nconst a = 1;\n```\nWhy is this red?', 'Why is this red?'],
  ['```\nTypeError: a\n    at b', 'TypeError: a\n    at b'],
  ['![a picture](a.png) What is it?', 'a picture What is it?'],
])('%j is called %j', (raw, title) => {
  expect(agentTitle(raw)).toBe(title);
});

it('takes no longer for a long one', () => {
  const started = workTime();
  for (const piece of [
    '<a-b>',
    '<a-b></a-b>',
    'a1',
    '0-',
    '#',
    '<command-name>',
    '<task>',
    '<!--',
    '```\n',
    '`'.repeat(3),
  ])
    agentTitle(piece.repeat(100_000));
  expect(workTime() - started).toBeLessThan(2_000);
});
