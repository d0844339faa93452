import * as l10n from '@vscode/l10n';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AcpError } from '../../../../../src/acp/errors';
import { ProcessEnded } from '../../../../../src/host/agents/separateProcess';
import { initializeProblem, sessionProblem } from '../../../../../src/host/agents/check/checkWords';

vi.mock('vscode', () => ({}));

const configuration = { name: 'Mine', command: 'mine', args: [], env: {}, capabilities: {} };
const ended = (code: number) => new ProcessEnded({ code, signal: null, stderr: '' });

test('the help for a failed check is the same in every language', () => {
  onTestFinished(() => l10n.config({ contents: {} }));
  // In a language of two words, no text can tell what happened.
  l10n.config({
    contents: new Proxy(
      {},
      { get: (_, key) => (String(key).startsWith('Your account has reached a limit.') ? 'limit' : 'x') },
    ),
  });
  const help = (error: unknown) => initializeProblem(error, configuration, { stderr: '' }).problem.help;
  expect([
    help(ended(127)),
    help(ended(1)),
    help(new AcpError(-32603, 'Internal error', { errorKind: 'rate_limit' })),
  ]).toEqual([undefined, 'x', 'limit']);
  expect(sessionProblem(new AcpError(-32603, 'You are not logged in'), { stderr: '' }, 0).offers).toEqual(['signIn']);
});
