import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { placePatch } from '../../../../src/host/sessions/patchPlaces';
import type { ThreadAction } from '../../../../src/thread/actions';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'patch-'));
  await writeFile(join(base, 'a.ts'), 'one\ntwo\n');
});
afterEach(() => rm(base, { recursive: true }));

const patch = (path: string) => ({ input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-two\n+2\n*** End Patch` });

/** The lines that the card has, after the agent has sent the call once, and then maybe with another input. */
async function linesOf(path: string, later?: unknown) {
  const session = new Session('s', new FakeClock(), silentLogger);
  const action: ThreadAction = {
    type: 'toolCall/patched',
    at: 1,
    fields: { toolCallId: 'c', title: 'Patch', rawInput: patch(path) },
  };
  session.applyUpdate({ type: 'toolCall', announces: true, fields: action.fields });
  await placePatch(session, base, action, silentLogger);
  if (later !== undefined) session.applyUpdate({ type: 'toolCall', fields: { toolCallId: 'c', rawInput: later } });
  const call = session.thread.entries.at(0);
  session.dispose();
  return call?.kind === 'toolCall' ? call.patchLines : undefined;
}

it('finds the lines of a patch in the file', async () => {
  expect(await linesOf('a.ts')).toEqual([[[2, 2]]]);
  expect(await linesOf(join(base, 'a.ts'))).toEqual([[[2, 2]]]);
});

it('forgets them where the input is another, and keeps them where it is the same', async () => {
  expect(await linesOf('a.ts', patch('b.ts'))).toBeUndefined();
  expect(await linesOf('a.ts', patch('a.ts'))).toEqual([[[2, 2]]]);
});

it.each(['missing.ts', '../a.ts', 'link.ts', '.'])('reads nothing else: %s', async (path) => {
  await symlink('/etc/hosts', join(base, 'link.ts'));
  expect(await linesOf(path)).toBeUndefined();
});
