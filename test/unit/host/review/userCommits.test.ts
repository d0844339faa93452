import { describe, expect, it } from 'vitest';
import { type CommitReader, readUserCommits } from '../../../../src/host/review/userCommits';

/** The turn ended at 10 s, and it is 100 s now. Times in seconds. */
const lastRan = 10_000;
const now = 100_000;

interface Made {
  readonly at?: number;
  readonly parents: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

function repository(commits: Readonly<Record<string, Made>>): CommitReader {
  return {
    getCommit: async (hash) => ({
      parents: commits[hash]!.parents,
      ...(commits[hash]!.at === undefined ? {} : { commitDate: new Date(commits[hash]!.at! * 1000) }),
    }),
    show: async (hash, path) =>
      commits[hash] ? commits[hash].files[path] : Promise.reject(new Error('no such commit')),
  };
}

/** Which of the agent's files a commit of the user agrees to; `undefined` is a file that the agent has deleted. */
async function agreed(
  commits: Readonly<Record<string, Made>>,
  head: string,
  earlier: readonly string[],
  waiting: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const isCommitted = await readUserCommits(repository(commits), head, earlier, { lastRan, now });
  const found: string[] = [];
  for (const [path, text] of Object.entries(waiting)) if (await isCommitted?.(path, text)) found.push(path);
  return found;
}

const old: Made = { at: 1, parents: [], files: { a: 'old', b: 'old', gone: 'old' } };
const waiting = { a: 'agent', b: 'agent', gone: undefined };

describe('a commit agrees', () => {
  it('to what it brings, as it stands in the file', async () => {
    expect(
      await agreed({ o: old, p: { at: 50, parents: ['o'], files: { a: 'agent', b: 'other' } } }, 'p', ['o'], waiting),
    ).toEqual(['a', 'gone']);
  });

  it('not to what the agent had committed before it, whether or not that was seen by itself', async () => {
    const commits = {
      o: old,
      agent: { at: 9, parents: ['o'], files: { a: 'agent', b: 'old' } },
      p: { at: 50, parents: ['agent'], files: { a: 'agent', b: 'agent' } },
    };
    expect(await agreed(commits, 'p', ['agent'], waiting)).toEqual(['b']);
    expect(await agreed(commits, 'p', ['o'], waiting)).toEqual(['b']);
    expect(await agreed(commits, 'p', ['o', 'agent'], waiting)).toEqual(['b']);
  });

  it('nor where the agent has said a later time, or a time to come', async () => {
    for (const at of [50, 99, 5_000]) {
      const commits = {
        o: old,
        agent: { at, parents: ['o'], files: { a: 'agent', b: 'old' } },
        p: { at: 99, parents: ['agent'], files: { a: 'agent', b: 'agent' } },
      };
      expect(await agreed(commits, 'agent', ['o', 'agent'], waiting)).toEqual([]);
      expect(await agreed(commits, 'p', ['o', 'agent'], waiting)).toEqual(['b']);
    }
    expect(
      await agreed({ o: old, agent: { at: 5_000, parents: ['o'], files: { a: 'agent' } } }, 'agent', ['o'], waiting),
    ).toEqual([]);
  });

  it('to what several commits of the user bring together', async () => {
    const commits = {
      o: old,
      p: { at: 50, parents: ['o'], files: { a: 'agent', b: 'old', gone: 'old' } },
      q: { at: 60, parents: ['p'], files: { a: 'agent', b: 'agent', gone: 'old' } },
    };
    expect(await agreed(commits, 'q', ['o'], waiting)).toEqual(['a', 'b']);
  });

  it("not where it only says the agent's own anew (amend, rebase), nor as a merge, nor as another branch", async () => {
    const agents = { at: 9, parents: ['o'], files: { a: 'agent', b: 'agent' } };
    expect(
      await agreed({ o: old, agent: agents, amended: { ...agents, at: 50 } }, 'amended', ['agent'], waiting),
    ).toEqual([]);
    expect(
      await agreed(
        { o: old, agent: agents, m: { at: 50, parents: ['o', 'agent'], files: agents.files } },
        'm',
        ['o'],
        waiting,
      ),
    ).toEqual([]);
    expect(await agreed({ o: old, agent: agents }, 'agent', ['o'], waiting)).toEqual([]);
  });

  it('to what the first commit of all holds, and not to that a file is gone that never was there', async () => {
    expect(
      await agreed(
        { none: { parents: [], files: {} }, p: { at: 50, parents: [], files: { a: 'agent' } } },
        'p',
        ['none'],
        waiting,
      ),
    ).toEqual(['a']);
  });

  it('to nothing where git cannot tell of it', async () => {
    expect(await agreed({ p: { parents: ['o'], files: { a: 'agent' } } }, 'p', ['o'], waiting)).toEqual([]);
    // Where HEAD was before cannot be read: perhaps it had the same.
    expect(await agreed({ p: { at: 50, parents: [], files: { a: 'agent' } } }, 'p', ['lost'], waiting)).toEqual([]);
    const broken: CommitReader = { getCommit: async () => Promise.reject(new Error('no')), show: async () => 'agent' };
    expect(await readUserCommits(broken, 'p', ['o'], { lastRan, now })).toBeUndefined();
  });
});
