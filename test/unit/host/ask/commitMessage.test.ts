import { describe, expect, it } from 'vitest';
import { commitMessageIn, commitPrompt, maxCommitMessage } from '../../../../src/host/ask/commitMessage';

describe('the message in an answer', () => {
  it.each([
    ['alone', 'Add a parser', 'Add a parser'],
    ['with a body', 'Add a parser\n\n\n\nIt reads JSON.  \n', 'Add a parser\n\nIt reads JSON.'],
    ['in a fence', '```\nAdd a parser\n\nBody\n```', 'Add a parser\n\nBody'],
    ['in a fence with a language', '```text\r\nAdd a parser\r\n```\r\n', 'Add a parser'],
    ['after an introduction', 'Here is the commit message:\n\n```\nAdd a parser\n```\n', 'Add a parser'],
    ['after an introduction with code', 'The message for `a.ts`:\n```\nAdd a parser\n```', 'Add a parser'],
    ['in a fence that does not end', '```\nAdd a parser', 'Add a parser'],
    ['in a fence with words behind', '~~~\nAdd a parser\n~~~\nShall I commit?', 'Add a parser'],
    ['in quotation marks', '"Add a parser"', 'Add a parser'],
    ['in typographic ones', '“Add a parser”', 'Add a parser'],
    ['in backticks', '`Add a parser`', 'Add a parser'],
    ['after a heading', '**Commit message:**\nAdd a parser', 'Add a parser'],
    [
      'with a fence of its own',
      'Add a parser\n\nUse it so\n\n```\nparse()\n```',
      'Add a parser\n\nUse it so\n\n```\nparse()\n```',
    ],
    ['after reasoning', '<think>what now</think>\nAdd a parser', 'Add a parser'],
    ['only reasoning', '<think>what now', ''],
    ['nothing', '  \n', ''],
    ['a book', 'x'.repeat(maxCommitMessage + 1), ''],
    ['ten megabytes of fences', '```\n'.repeat(2_500_000), ''],
    ['fences that do not end', `${'~~~x\n'.repeat(50_000)}end`, ''],
    ['characters that hide something', 'Add\u202Eresrap a', '⟨U+202E⟩'],
  ])('%s', (_, answer, message) => {
    if (message.startsWith('⟨')) expect(commitMessageIn(answer)).toContain(message);
    else expect(commitMessageIn(answer)).toBe(message);
  });
});

it('the prompt has the style of the repository, its changes, and only the names of what is left out', () => {
  const prompt = commitPrompt({
    top: '/w',
    isStaged: true,
    diff: '+const a = 1;\n',
    files: ['a.ts'],
    leftOut: ['.env'],
    messages: ['feat: add b', 'x'.repeat(5_000)],
  });
  expect(prompt).toContain('<diff>\n+const a = 1;\n\n</diff>');
  expect(prompt).toContain('<last-messages>\nfeat: add b\n---');
  expect(prompt).toContain('<changed-files-without-their-content>\n.env\n');
  expect(prompt.length).toBeLessThan(4_000);
});
