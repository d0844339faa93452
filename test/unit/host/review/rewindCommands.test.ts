import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { Deferred } from '../../../../src/base/deferred';
import { RewindCommands } from '../../../../src/host/review/rewindCommands';
import { LiveSession } from '../../../../src/host/sessions/liveSession';
import { isHidden } from '../../../../src/thread/rewind';
import { promptWords } from '../../../../src/thread/threadTurns';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';

/* What the user does while Parley goes back: the files are compared, and the agent gets another session. */

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: {
    isTrusted: true,
    workspaceFolders: undefined,
    textDocuments: [],
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  },
}));

const draft = (text: string) => ({ text, mentions: [], attachments: [] });

/** A session with the prompts a, b and c. */
async function scene() {
  const prompted: string[] = [];
  let ids = 0;
  const agent = runningAgent(
    connectionWith({
      newSession: async () => ({ sessionId: `s${++ids}`, ...nothingOffered }),
      closeSession: async () => undefined,
      prompt: async (_, blocks) => {
        prompted.push((blocks.at(-1) as { text: string }).text);
        return { stopReason: 'end_turn' };
      },
    }),
  );
  const services = sessionServices({ processes: { running: () => agent, start: async () => agent } });
  const live = new LiveSession({ id: 'ours', agent: 'A', cwd: '/w', roots: ['/w'] }, services);
  onTestFinished(() => live.dispose());
  for (const text of ['a', 'b', 'c']) await live.submit(draft(text));
  const log = { saves: [], range: undefined, redoable: undefined };
  /** As the composition does it: new ones for each click. */
  const commands = () =>
    new RewindCommands({
      live,
      checkpoints: { log: async () => log },
      restore: { settledLog: async () => log },
      confirm: async () => true,
      report: () => undefined,
      submit: (next: ReturnType<typeof draft>) => live.submit(next),
    } as never);
  const entries = () => [...live.session.thread.entries];
  return {
    live,
    commands,
    prompted,
    /** The id of the newest prompt with a text. */
    idOf: (text: string) =>
      entries().findLast((entry) => entry.kind === 'userMessage' && promptWords(entry) === text)!.id,
    shown: () =>
      entries().flatMap((entry, i) =>
        entry.kind === 'userMessage' && !isHidden(live.session.thread, i) ? [promptWords(entry)] : [],
      ),
  };
}

describe('two clicks', () => {
  it('on Retry send the prompt once', async () => {
    const { commands, prompted, idOf, live } = await scene();
    await Promise.all([commands().retry(idOf('c')), commands().retry(idOf('c'))]);
    await expect.poll(() => live.isBusy).toBe(false);
    expect(prompted).toEqual(['a', 'b', 'c', 'c']);
    expect(live.queue.list).toEqual([]);
  });

  it('on Redo take one restore back', async () => {
    const { commands, idOf, live, shown } = await scene();
    const told = { title: '', detail: '' };
    await live.rewind(idOf('c'), told);
    await live.rewind(idOf('b'), told);
    expect(shown()).toEqual(['a']);
    await Promise.all([commands().redoRewind(), commands().redoRewind()]);
    expect(shown()).toEqual(['a', 'b']);
  });
});

it('a message that is sent while Parley goes back follows, and the prompt goes all the same', async () => {
  const { commands, idOf, live, shown } = await scene();
  const [begun, left] = [new Deferred<void>(), new Deferred<void>()];
  const { connection } = live;
  const leave = connection.leave.bind(connection);
  connection.leave = async (remoteId) => {
    begun.resolve();
    await left.promise;
    await leave(remoteId);
  };
  const resent = commands().resend(idOf('c'), draft('edited'));
  await begun.promise;
  const sent = live.submit(draft('d'));
  left.resolve();
  expect(await resent).toBe('sent');
  await sent;
  await expect.poll(() => live.isBusy || live.queue.list.length > 0).toBe(false);
  expect(shown().toSorted()).toEqual(['a', 'b', 'd', 'edited']);
});
