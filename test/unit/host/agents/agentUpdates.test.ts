import { expect, test, vi } from 'vitest';
import { isNewer } from '../../../../src/host/agents/agentUpdates';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

test.each([
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.99.99', true],
  ['1.0.1', '1.0.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.1', false],
  ['0.9.0', '1.0.0', false],
  ['1.0.0-rc.2', '1.0.0-rc.1', false],
])('%s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});
