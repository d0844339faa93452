import { expect, test, vi } from 'vitest';
import { checkItems, wrapped } from '../../../../../src/host/agents/check/checkItems';
import { checkReport } from '../../../../../src/host/agents/check/checkReport';
import { CheckProgress, type CheckView } from '../../../../../src/host/agents/check/checkSteps';

vi.mock('vscode', () => ({}));

const surroundings = { version: '0.1.0', vscode: '1.110.0', system: 'linux x64', home: '/home/someone' };

/** A check that failed at its start. */
function failed(fields: { readonly text?: string; readonly help?: string; readonly stderr?: string } = {}): CheckView {
  const progress = new CheckProgress(
    'Mine',
    (text) => text,
    () => undefined,
  );
  progress.pass('folder', '/home/someone/app');
  progress.pass('found', '/opt/agent');
  progress.fail('starts', {
    text: 'The process ended with exit code 1.',
    help: 'Sign in.',
    stderr: 'Error: no',
    offers: ['editSettings'],
    ...fields,
  });
  progress.end();
  return progress.view;
}

test('a report has each step, what to do, and the error output', () => {
  expect(checkReport(failed(), surroundings)).toBe(`## Check of Mine

Parley 0.1.0, VS Code 1.110.0, linux x64

- ✓ **Folder**: ~/app
- ✓ **Program**: /opt/agent
- – **Version**: not checked
- ✗ **Starts**: The process ended with exit code 1.
  - Sign in.
- – **Speaks ACP**: not checked
- – **Signed in**: not checked
- – **Opens a session**: not checked
- – **Answers**: not checked

Error output:

\`\`\`text
Error: no
\`\`\`
`);
});

test('a report has no secrets, and an agent’s words make no Markdown', () => {
  const text = checkReport(
    failed({
      text: '[click](command:evil) <img src=x> `a`\n# heading',
      stderr:
        'ANTHROPIC_API_KEY=sk-ant-0123456789abcdefghij\n```\n# out\nat /home/someone/x\nAuthorization: Bearer abcdef0123456789',
    }),
    surroundings,
  );
  expect(text).toContain('- ✗ **Starts**: \\[click\\](command:evil) \\<img src=x\\> \\`a\\` # heading\n');
  expect(text).toMatch(/\n````text\n[^]*\n```\n# out\nat ~\/x\n[^]*\n````\n$/);
  for (const secret of ['sk-ant', 'abcdef0123456789', 'someone']) expect(text).not.toContain(secret);
});

test('a cancelled check says so', () => {
  const progress = new CheckProgress(
    'Mine',
    (text) => text,
    () => undefined,
  );
  progress.run('folder');
  progress.end({ isCancelled: true });
  expect(checkReport(progress.view, surroundings)).toContain('linux x64. The check was cancelled.');
});

test('the list says in words what the icons show, and what to do below the step that failed', () => {
  const items = checkItems(
    failed({
      text: 'The process ended. $(trash) [x](command:y)',
      stderr: '1\n\n2\n    at main (x.js:1)\n3\n}\n4\n5\n6',
    }),
  );
  expect(items.map(({ label, description }) => [label, description].filter(Boolean).join(' | '))).toEqual([
    '$(pass) Folder | Passed: /home/someone/app',
    '$(pass) Program | Passed: /opt/agent',
    '$(circle-slash) Version | Skipped',
    '$(error) Starts | Failed',
    '$(blank) The process ended. $\u200b(trash) [x]\u200b(command:y)',
    '$(lightbulb) Sign in.',
    '$(circle-slash) Speaks ACP | Skipped',
    '$(circle-slash) Signed in | Skipped',
    '$(circle-slash) Opens a session | Skipped',
    '$(circle-slash) Answers | Skipped',
    'Error output',
    '2',
    '3',
    '4',
    '5',
    '6',
    'Next',
    '$(gear) Edit Settings',
    '$(refresh) Check Again',
    '$(copy) Copy Report | As Markdown, without secrets.',
    '$(output) Show Log',
  ]);
});

test('a running check can be cancelled, and nothing else', () => {
  const progress = new CheckProgress(
    'Mine',
    (text) => text,
    () => undefined,
  );
  progress.run('folder');
  expect(checkItems(progress.view).flatMap(({ act }) => act ?? [])).toEqual(['cancel']);
});

test.each<[string, readonly string[]]>([
  ['', []],
  ['a b c', ['a b', 'c']],
  ['longer-than-a-row b', ['longer-than-a-row', 'b']],
  ['重启 VS Code。', ['重启', 'VS', 'Code。']],
  ['检查网络。', ['检查', '网', '络。']],
])('%j in rows of four', (text, lines) => expect(wrapped(text, 4)).toEqual(lines));
