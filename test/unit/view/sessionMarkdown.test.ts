import { expect, it } from 'vitest';
import type { ExportedEntry } from '../../../src/thread/exportedSession';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { turnEntries } from '../../../src/thread/threadTurns';
import { entriesMarkdown, sessionMarkdown } from '../../../src/view/sessionMarkdown';

/** Files have the time of the reader's clock. */
const at = new Date(2026, 10, 22, 8).toISOString();
const answer = (text: string): ExportedEntry => ({ type: 'answer', at, until: at, content: [{ type: 'text', text }] });

it('is a document with prompts, answers, diffs, commands and outputs', () => {
  const entries: ExportedEntry[] = [
    { type: 'prompt', at, content: [{ type: 'text', text: 'Greet *all*' }] },
    { type: 'thought', at, until: at, content: [{ type: 'text', text: 'How?' }] },
    {
      type: 'tool',
      at,
      title: 'Edit a.ts',
      kind: 'edit',
      status: 'completed',
      content: [{ type: 'diff', path: 'src/a.ts', oldText: 'a\nb\n', newText: 'a\nc\n' }],
      input: { path: 'a.ts' },
      decision: { choice: 'Allow', kind: 'allow_once', rules: ['edits'] },
    },
    {
      type: 'tool',
      at,
      title: 'Run `tests`',
      kind: 'execute',
      status: 'failed',
      input: { command: 'npm test' },
      output: 'not ok ```',
    },
    answer('# Done'),
    answer('Bye'),
  ];
  expect(
    sessionMarkdown({
      format: 'parley.session',
      version: 1,
      exportedAt: at,
      agent: 'Demo',
      folder: '/work',
      title: 'A <title>',
      entries,
      plan: [{ content: 'Greet', priority: 'high', status: 'completed' }],
    }),
  ).toBe(`# A \\<title\\>

Demo · \`/work\` · exported 2026-11-22 08:00

## You

Greet *all*

## Demo

<details><summary>Thought</summary>

How?

</details>

**Edit a.ts** (completed)

Permission: Allow, by a rule: edits

\`src/a.ts\`

\`\`\`diff
@@ -1,2 +1,2 @@
 a
-b
+c
\`\`\`

**Run \\\`tests\\\`** (failed)

\`\`\`console
$ npm test
\`\`\`

\`\`\`\`
not ok \`\`\`
\`\`\`\`

# Done

Bye

## Plan

- [x] Greet
`);
});

it('keeps what a call shows in its block', () => {
  const call = (output: string): ExportedEntry => ({
    type: 'tool',
    at,
    title: 'a\n## You',
    kind: 'execute',
    status: 'completed',
    content: [{ type: 'terminal', command: 'cat', output }],
  });
  const lines = entriesMarkdown([call('````\n## You\n')], 'Demo').split('\n');
  expect(lines).toContain('**a \\#\\# You** (completed)');
  expect(lines.slice(4)).toEqual(['`````console', '$ cat', '````', '## You', '`````']);
});

it('a turn begins with its prompt and ends before the next one', () => {
  const prompt = (thread: Thread, turnId: string) =>
    reduce(reduce(thread, { type: 'turn/started', at: 0, turnId, prompt: [{ type: 'text', text: turnId }] }), {
      type: 'message/chunkAppended',
      at: 0,
      role: 'agent',
      content: { type: 'text', text: `to ${turnId}` },
    });
  const end = (thread: Thread, turnId: string) =>
    reduce(thread, { type: 'turn/ended', at: 0, turnId, stopReason: 'end_turn' });
  const thread = prompt(end(prompt(emptyThread, 'one'), 'one'), 'two');
  const ids = (id?: string) => turnEntries(thread, id).map((entry) => entry.id);
  expect([ids(), ids('e1'), ids('e0'), ids('e9'), ids('nonsense')]).toEqual([
    ['e2', 'e3'],
    ['e0', 'e1'],
    ['e0', 'e1'],
    [],
    [],
  ]);
});

it('tells of line ends that differ', () => {
  const edit = (oldText: string, newText: string): ExportedEntry => ({
    type: 'tool',
    at,
    title: 'a',
    kind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: 'a', oldText, newText }],
  });
  const diff = (oldText: string, newText: string) =>
    entriesMarkdown([edit(oldText, newText)], 'Demo')
      .split('```diff\n')[1]!
      .split('\n```')[0];
  expect(diff('a', 'a\n')).toBe('@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a');
  expect(diff('a\r\n', 'a\n')).toBe('@@ -1,1 +1,1 @@\n-a\r\n+a');
  expect(diff('', 'a\n')).toBe('@@ -0,0 +1,1 @@\n+a');
});

it.each([
  ['Run:\n```sh\nnpm te', 'Run:\n```sh\nnpm te\n```'],
  ['~~~~\n~~~\nstill code', '~~~~\n~~~\nstill code\n~~~~'],
  ['```\na\n```\nb', '```\na\n```\nb'],
  ['``` is no fence ```', '``` is no fence ```'],
])('closes a block of code in which an answer was stopped: %j', (said, written) => {
  expect(
    entriesMarkdown([answer(said), { type: 'prompt', at, content: [{ type: 'text', text: 'Go on' }] }], 'Demo'),
  ).toBe(`## Demo\n\n${written}\n\n## You\n\nGo on`);
});

const f3 = '```';
it.each([
  ['<dependency>\n  <groupId>a</groupId>', '\\<dependency>\n  \\<groupId>a\\</groupId>'],
  ['Promise<Map<string, User>> and `List<T>`', 'Promise\\<Map\\<string, User>> and `List<T>`'],
  ['<Layout\n  title="x"\n/>', '\\<Layout\n  title="x"\n/>'],
  ['<br> and <b>bold</b> and <https://a.example>', '<br> and <b>bold</b> and <https://a.example>'],
  ['<!-- note --> <?xml?>', '\\<!-- note --> \\<?xml?>'],
  ['[ERROR]: failed\n[a]: https://a.example', '\\[ERROR]: failed\n[a]: https://a.example'],
  [`${f3}\n<a-tag>\n${f3}\n<a-tag>`, `${f3}\n<a-tag>\n${f3}\n\\<a-tag>`],
  [`${f3}md\n${f3}js\n1\n${f3}\n${f3}\nafter <T>`, `${f3}\`md\n${f3}js\n1\n${f3}\n${f3}\`\nafter \\<T>`],
  ['a\u001b[31mred\u001b[0m', 'ared'],
  ['Why\n</think>\n\nBecause', '<details><summary>Thought</summary>\n\nWhy\n\n</details>\n\nBecause'],
  ['[THINK]Why[/THINK]Because', '<details><summary>Thought</summary>\n\nWhy\n\n</details>\n\nBecause'],
  ['</think>\n\nBecause', 'Because'],
  ['<think>Why</think>\n\nBecause <T>', '<details><summary>Thought</summary>\n\nWhy\n\n</details>\n\nBecause \\<T>'],
])('loses nothing of an answer: %j', (said, written) =>
  expect(entriesMarkdown([answer(said)], 'Demo')).toBe(`## Demo\n\n${written}`),
);

it.each<[kind: 'read' | 'think' | 'other', said: string, written: string]>([
  ['read', '# a\n__init__', `${f3}\n# a\n__init__\n${f3}`],
  ['other', `a\n${f3}\nb`, `${f3}\`\na\n${f3}\nb\n${f3}\``],
  ['read', `${f3}py\n# a\n${f3}`, `${f3}py\n# a\n${f3}`],
  ['think', '**Report**', '**Report**'],
])('shows what a tool gave as it is: %s, %j', (kind, said, written) => {
  expect(
    entriesMarkdown(
      [
        {
          type: 'tool',
          at,
          title: 'T',
          kind,
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: said } }],
        },
      ],
      'Demo',
    ),
  ).toBe(`## Demo\n\n**T** (completed)\n\n${written}`);
});
