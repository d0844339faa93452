import { expect, test, vi } from 'vitest';
import { AcpError } from '../../../../src/acp/errors';
import { endedUnexpectedly, failedToStart } from '../../../../src/host/agents/connectionMessages';
import { StartFailure, usual } from '../../../../src/host/agents/startFailure';

vi.mock('vscode', () => ({}));

test.each([
  [
    'an agent that did not start',
    failedToStart('Mine', new StartFailure('Mine could not be started', 'No.', usual)),
    ['restart', 'editSettings', 'checkAgent', 'copyDetails'],
  ],
  [
    'an agent that opened no session',
    failedToStart('Mine', new AcpError(-32603, 'Internal error')),
    ['restart', 'editSettings', 'checkAgent', 'copyDetails'],
  ],
  [
    'an agent that ended',
    endedUnexpectedly('Mine', { code: 1, signal: null, stderr: '' }),
    ['restart', 'showLog', 'checkAgent', 'copyDetails'],
  ],
])('%s can be checked, with four buttons at most', (_, view, actions) => {
  expect(view).toMatchObject({ state: 'failed', actions });
});
