import { expect, it } from 'vitest';
import { CancellationSource } from '../../../src/base/cancellation';
import { Deferred } from '../../../src/base/deferred';
import { silentLogger } from '../../../src/base/log';
import { pendingPermissions } from '../../../src/thread/permissionRequests';
import { Session } from '../../../src/thread/session';
import { NotSent } from '../../../src/thread/sessionLink';
import type { Thread } from '../../../src/thread/thread';
import { FakeClock } from '../../fakes/fakeClock';

/** Does the same in each opening of one session. @returns the ids that were given, and the thread it ends with. */
async function open(clock: FakeClock, initial: Thread | undefined) {
  const session = new Session('0123456789', clock, silentLogger, initial);
  const prepared = new Deferred<never>();
  const turn = session.prompt([{ type: 'text', text: 'go' }], () => prepared.promise);
  const ids = [session.thread.turn!.turnId];
  const { token } = new CancellationSource();
  void session.requestPermission(
    { sessionId: 'a', toolCall: { toolCallId: 'call', title: 'Run' }, options: [] },
    token,
  );
  ids.push(pendingPermissions(session.thread)[0]!.requestId);
  void session.elicitations.request('Which?', { mode: 'form', form: { fields: [] } } as never, undefined, token);
  ids.push(session.thread.waiting.at(-1)!.requestId);
  prepared.reject(new NotSent());
  await turn;
  session.detach();
  const { thread } = session;
  session.dispose();
  return { ids, thread };
}

it('a session that is opened again gives no id a second time: not for a turn, a permission request or a form', async () => {
  const clock = new FakeClock();
  const first = await open(clock, undefined);
  clock.advance(1);
  const second = await open(clock, first.thread);
  clock.advance(1);
  const third = await open(clock, undefined);
  const all = [first, second, third].flatMap(({ ids }) => ids);
  expect([...new Set(all)]).toEqual(all);
});
