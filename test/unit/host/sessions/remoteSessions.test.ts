import { expect, it } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { RemoteSessions } from '../../../../src/host/sessions/remoteSessions';
import { remoteKey } from '../../../../src/host/sessions/sessionIndex';

/** Agents that answer each `session/list` when the test says so. */
function scene(...names: string[]) {
  const asked: {
    readonly agent: string;
    readonly cwd: string;
    readonly cursor: string | undefined;
    answer(ids: readonly string[], nextCursor?: string): Promise<void>;
    refuse(): Promise<void>;
  }[] = [];
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const agentNamed = (agent: string) => ({
    features: { archive: false },
    connection: {
      listSessions: (cwd: string, cursor?: string) => {
        const page = new Deferred<object>();
        asked.push({
          agent,
          cwd,
          cursor,
          answer: (ids, nextCursor) => (
            page.resolve({
              sessions: ids.map((sessionId) => ({ sessionId, cwd })),
              ...(nextCursor === undefined ? {} : { nextCursor }),
            }),
            settled()
          ),
          refuse: () => (page.reject(new Error('too late')), settled()),
        });
        return page.promise;
      },
    },
  });
  let changes = 0;
  const remote = new RemoteSessions(agentNamed as never, silentLogger, () => changes++);
  return {
    remote,
    asked,
    open: (cwd: string) => remote.load(names, cwd),
    ids: () => remote.list.map(({ sessionId }) => sessionId),
    changes: () => changes,
  };
}

it('pages of an earlier opening come too late: they bring no row, cursor, problem or end of loading', async () => {
  const { remote, asked, open, ids } = scene('A');
  void open('/one');
  void open('/two');
  expect([asked.map(({ cwd }) => cwd), remote.isLoading]).toEqual([['/one', '/two'], true]);
  await asked[0]!.answer(['old'], 'next of one');
  expect([ids(), remote.hasMore, remote.isLoading, asked.length]).toEqual([[], false, true, 2]);
  await asked[1]!.answer(['new']);
  expect([ids(), remote.hasMore, remote.isLoading]).toEqual([['new'], false, false]);
  void open('/three');
  void open('/four');
  await asked[3]!.answer(['newest']);
  await asked[2]!.refuse();
  expect([ids(), remote.problem, remote.isLoading]).toEqual([['newest'], undefined, false]);
});

it('a second page that is under way when the list is opened anew brings nothing', async () => {
  const { remote, asked, open, ids } = scene('A');
  void open('/one');
  await asked[0]!.answer(['1'], 'c1');
  void open('/two');
  await asked[2]!.answer(['2']);
  await asked[1]!.answer(['1b'], 'c2');
  expect([ids(), remote.hasMore]).toEqual([['2'], false]);
});

it('asks for the next pages in the folder of the first, once', async () => {
  const { remote, asked, open, ids } = scene('A');
  void open('/one');
  await asked[0]!.answer(['1'], 'c1');
  await asked[1]!.answer(['2'], 'c2');
  void remote.more();
  void remote.more();
  expect(asked.slice(2).map(({ cwd, cursor }) => [cwd, cursor])).toEqual([['/one', 'c2']]);
  await asked[2]!.answer(['3']);
  expect([ids(), remote.hasMore, remote.isLoading]).toEqual([['1', '2', '3'], false, false]);
});

it('is loading until the slowest agent has answered, and says each time that something has changed', async () => {
  const { remote, asked, open, ids, changes } = scene('A', 'B');
  void open('/one');
  await asked[1]!.answer(['b']);
  expect([ids(), remote.isLoading]).toEqual([['b'], true]);
  const before = changes();
  await asked[0]!.answer(['a']);
  expect([ids(), remote.isLoading, changes() > before]).toEqual([['b', 'a'], false, true]);
});

it('a page that was asked for before a session was deleted does not bring it back', async () => {
  const { remote, asked, open, ids } = scene('A');
  void open('/one');
  await asked[0]!.answer(['1', '2'], 'c1');
  remote.replace(remoteKey({ agent: 'A', sessionId: '2' }), undefined);
  remote.replace(remoteKey({ agent: 'A', sessionId: '3' }), { isArchived: true });
  await asked[1]!.answer(['2', '3']);
  expect([ids(), remote.list.map(({ isArchived }) => isArchived === true)]).toEqual([
    ['1', '3'],
    [false, true],
  ]);
});

it.each<[string, number, boolean]>([
  ['of 1970', 0, false],
  ['of 1970, because somebody counted in seconds', 1_790_000_000, false],
  ['of the year 2031', Date.now() + 5 * 365 * 86_400_000, false],
  ['a minute ahead', Date.now() + 60_000, true],
  ['of last year', Date.now() - 365 * 86_400_000, true],
])('a time %s', async (_, updatedAt, isShown) => {
  const agentNamed = () => ({
    features: {},
    connection: { listSessions: async () => ({ sessions: [{ sessionId: '1', cwd: '/w', updatedAt }] }) },
  });
  const remote = new RemoteSessions(agentNamed as never, silentLogger, () => {});
  await remote.load(['A'], '/w');
  expect(remote.list[0]!.updatedAt).toBe(isShown ? updatedAt : undefined);
});
