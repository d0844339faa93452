import { expect, test, vi } from 'vitest';
import { neverCancelled } from '../../../../../src/base/cancellation';
import { silentLogger } from '../../../../../src/base/log';
import { secretlessLog } from '../../../../../src/host/platform/secretlessLog';
import type { AgentConfiguration } from '../../../../../src/host/agents/agentSettings';
import { createCheck } from '../../../../../src/host/composition/createCheck';
import { FakeClock } from '../../../../fakes/fakeClock';

const workspace = vi.hoisted(() => ({
  isTrusted: true,
  workspaceFolders: undefined as { uri: { scheme: string } }[] | undefined,
}));
vi.mock('vscode', () => ({ workspace }));

const here = import.meta.dirname;
const mine: AgentConfiguration = { name: 'Mine', command: 'mine', args: [], env: {}, capabilities: {} };

/* Where a check runs: where a session would, and nowhere else. */
test.each<
  [
    string,
    { readonly trusted?: boolean; readonly scheme?: string; readonly mayStart?: boolean; readonly cwd?: string },
    string,
    readonly string[],
  ]
>([
  ['a folder', {}, `passed | ${here}`, ['editSettings']],
  [
    'Restricted Mode',
    { trusted: false },
    'failed | This workspace is in Restricted Mode, so agents can’t start.',
    ['manageTrust'],
  ],
  ['a virtual workspace', { scheme: 'vscode-vfs' }, 'failed | This workspace has no folder on disk.', ['openFolder']],
  [
    'a scratch folder that was not chosen',
    { mayStart: false },
    'failed | Mine needs an open folder to work in.',
    ['openFolder', 'useScratchFolder'],
  ],
  [
    'a folder that the setting fixes',
    { mayStart: false, scheme: 'vscode-vfs', cwd: here },
    `passed | ${here}`,
    ['editSettings'],
  ],
])('%s', async (_, { trusted = true, scheme = 'file', mayStart = true, cwd }, step, offers) => {
  Object.assign(workspace, { isTrusted: trusted, workspaceFolders: [{ uri: { scheme } }] });
  const prepare = vi.fn(() => Promise.resolve({ missing: 'mine' }));
  const basis = {
    own: <T>(item: T) => item,
    context: { extension: { packageJSON: { version: '0.1.0' } } },
    clock: new FakeClock(),
    watchdog: undefined,
  };
  const agents = {
    secrets: { apiKeys: {}, used: () => [] },
    secretless: secretlessLog(silentLogger, () => []),
    programs: () => Promise.resolve({ prepare, versionOf: vi.fn() }),
  };
  const folders = { rootsOf: () => ({ cwd: here, roots: [here] }), mayStartIn: () => mayStart };
  const check = createCheck(basis as never, agents as never, folders);
  const { view } = await check.run(
    { configuration: { ...mine, ...(cwd === undefined ? {} : { cwd }) }, until: 'session' },
    neverCancelled,
    () => undefined,
  );
  const { state, text } = view.steps[0]!;
  expect([`${state} | ${text}`, view.offers, prepare.mock.calls.length]).toEqual([
    step,
    offers,
    state === 'passed' ? 1 : 0,
  ]);
});
