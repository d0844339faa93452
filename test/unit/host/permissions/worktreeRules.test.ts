import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { neverCancelled } from '../../../../src/base/cancellation';
import { silentLogger } from '../../../../src/base/log';
import { PermissionGate } from '../../../../src/host/permissions/permissionGate';
import type { PermissionRecord } from '../../../../src/host/permissions/permissionHistory';
import { rootsIn } from '../../../../src/host/worktrees/worktree';
import { decodeRules } from '../../../../src/permission/decodeRules';
import { pendingPermissions } from '../../../../src/thread/permissionRequests';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';

/* The user's rules in a session that works in a worktree, which is in none of the workspace's folders. */

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-worktree-rules-')));
const [folder, path] = [join(top, 'project'), join(top, 'fix-it')];
for (const place of [folder, path]) {
  mkdirSync(join(place, 'src'), { recursive: true });
  for (const name of ['src/a.ts', '.env']) writeFileSync(join(place, name), 'x\n');
}
afterAll(() => rmSync(top, { recursive: true, force: true }));

const worktree = { path, repository: folder, branch: 'fix-it', base: 'c0' };
const clock = new FakeClock();

/** @returns whether the rules have answered the agent's request, and how; undefined if the user is asked */
async function answer(toolCall: object): Promise<string | undefined> {
  const records: PermissionRecord[] = [];
  const rules = [
    { answer: 'allowOnce', kind: 'edit', paths: ['src/**', '.env', '../project/**', `${folder}/**`] },
    { answer: 'allowOnce', command: 'npm test' },
    { answer: 'rejectOnce', command: 'git push *' },
  ];
  const gate = new PermissionGate({
    scopes: (sessionId) => ({ sessionId, agent: 'Fake', cwd: path, roots: rootsIn(worktree, path, [folder]) }),
    guards: () => ['.env*'],
    rules: { active: decodeRules(rules).rules, mayAllow: true },
    history: { add: (record) => void records.push(record) },
    titleOf: () => 'A session',
    clock,
    log: silentLogger,
  });
  const session = new Session('s', clock, silentLogger);
  session.attach({ sessionId: 's', link: {} as never }, nothingOffered);
  const options = [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ];
  const params = { sessionId: 's', toolCall: { toolCallId: 't', status: 'pending', ...toolCall }, options };
  const asked = new Promise<undefined>((resolve) =>
    session.onDidChange(() => pendingPermissions(session.thread).length > 0 && resolve(undefined)),
  );
  const answered = gate.request(session, params as never, neverCancelled).then(() => records[0]?.answer);
  const given = await Promise.race([asked, answered]);
  session.dispose();
  return given;
}
const edit = (file: string) =>
  answer({
    title: 'Edit',
    kind: 'edit',
    locations: [{ path: file }],
    content: [{ type: 'diff', path: file, oldText: 'x\n', newText: 'y\n' }],
    rawInput: { file_path: file },
  });
const run = (command: string) => answer({ title: command, kind: 'execute', rawInput: { command } });

it('rules count for its files and commands', async () => {
  expect(await edit(join(path, 'src/a.ts'))).toBe('Allow');
  expect(await run('npm test')).toBe('Allow');
  expect(await run('git push origin')).toBe('Reject');
});

it('no rule allows a change in the folder that the user sees, or of a protected file', async () => {
  for (const file of [join(folder, 'src/a.ts'), join(path, '../project/src/a.ts'), join(path, '.env')])
    expect(await edit(file), file).toBeUndefined();
});
