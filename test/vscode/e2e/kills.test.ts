import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder, root, temporaryFolder } from '../../launch/project.mjs';
import { FakeAgent } from './fakeAgent';
import { Window } from './harness';
import { KillRounds, type Rehearsed, type RoundFile } from './killRounds';
import { killer } from './mortalHost';
import { isLong } from '../../fakes/tries';

/*
 * Nothing is lost: in a real VS Code the extension host is killed at the steps of a write of an agent, of Keep, of
 * Undo, of a restore and of its redo, each time in another round; every line that the user has typed or the agent has
 * written can be got at after each. `npm run test:long` kills at every step, `npm test` once, within an Undo.
 */

/** A step in the middle of an Undo. */
const WITHIN_UNDO = 5;

let state: string;
let rounds: KillRounds;

beforeAll(() => {
  state = temporaryFolder('kills');
  const socket = join(state, 'killer.sock');
  const settings = { ...new FakeAgent(join(state, 'agent.log')).settings };
  rounds = new KillRounds(
    () =>
      Window.open({
        folder: mkdtempSync(join(state, 'work-')),
        install: [root, killer],
        env: { PARLEY_KILLER: socket },
        settings,
      }),
    socket,
  );
});

afterAll(async () => {
  await rounds.close();
  removeFolder(state);
});

const another = ({ path }: RoundFile): string => path.replace('.txt', '-new.txt');

/** The agent changes files of the user. */
async function changed(files: readonly RoundFile[]): Promise<void> {
  for (const file of files) file.put();
  await rounds.agentWrites(files.map(({ path, agents }) => [path, agents]));
}

/** The agent changes a file and makes another; then the user types in the first. */
async function restorable([file]: readonly RoundFile[]): Promise<void> {
  file!.put();
  await rounds.agentWrites([
    [file!.path, file!.agents],
    [another(file!), file!.agents.replaceAll(/^p/gm, 'b')],
  ]);
  await rounds.type(file!);
}

const undo: Rehearsed = {
  what: 'Undo',
  batch: KillRounds.batch,
  prepare: changed,
  work: ({ path }) => rounds.host.run('parley.undoFile', path),
};

const things: readonly Rehearsed[] = [
  {
    what: 'a write',
    prepare: async ([file]) => {
      file!.put();
      await rounds.type(file!);
    },
    work: (file) =>
      rounds.agentWrites([
        [file.path, file.agents],
        [another(file), file.agents.replaceAll(/^p/gm, 'b')],
      ]),
  },
  {
    what: 'Keep',
    batch: KillRounds.batch,
    prepare: changed,
    work: ({ path }) => rounds.host.run('parley.keepFile', path),
  },
  undo,
  {
    what: 'Undo of a new file',
    batch: KillRounds.batch,
    prepare: (files) => rounds.agentWrites(files.map(({ path, agents }) => [path, agents])),
    work: ({ path }) => rounds.host.run('parley.undoFile', path),
  },
  { what: 'a restore', prepare: restorable, work: (file) => rounds.restore(file) },
  {
    what: 'a redo',
    prepare: async (files) => {
      await restorable(files);
      await rounds.restore(files[0]!);
    },
    work: () => rounds.host.run('parley.redoRestore'),
  },
];

// A real process has to be killed at once, with all its threads.
describe.runIf(process.platform === 'linux')('nothing is lost, wherever the real extension host is killed', () => {
  if (isLong) test.each(things)('in $what', { timeout: 1_800_000 }, (thing) => rounds.killAtEach(thing));
  else {
    test('within an Undo', async () => {
      await rounds.renew();
      expect(await rounds.killAt({ ...undo, batch: 1 }, WITHIN_UNDO)).toBeUndefined();
    });
  }
});
