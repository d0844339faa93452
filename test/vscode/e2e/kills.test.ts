import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { removeFolder, root, temporaryFolder } from '../../launch/project.mjs';
import { FakeAgent } from './fakeAgent';
import { Window } from './harness';
import { KillRounds, type Rehearsed, type RoundFile } from './killRounds';
import { killer } from './mortalHost';

/*
 * Nothing is lost: in a real VS Code the extension host is killed at the steps of a write of an agent, of Keep, of Undo, of a
 * restore and of its redo, each time in another round; every line that the person has typed or the agent has written can be got
 * at after each. `npm run test:kill` takes every step, `npm test` some of them.
 */

const takesAll = process.env['PARLEY_KILL_ALL'] === '1';
let state: string;
let window: Window;
let rounds: KillRounds;

beforeAll(async () => {
  state = temporaryFolder('kills');
  const folder = join(state, 'work');
  const socket = join(state, 'killer.sock');
  mkdirSync(folder);
  const settings = { 'files.autoSave': 'off', ...new FakeAgent(join(state, 'agent.log')).settings };
  window = await Window.open({ folder, install: [root, killer], env: { PARLEY_KILLER: socket }, settings });
  rounds = new KillRounds(window, socket, takesAll);
  await window.openChat();
});

afterAll(async () => {
  await window?.close();
  removeFolder(state);
});

const another = ({ path }: RoundFile): string => path.replace('.txt', '-new.txt');

/** The agent changes files of the person. */
async function changed(files: readonly RoundFile[]): Promise<void> {
  for (const file of files) file.put();
  await rounds.agentWrites(files.map(({ path, agents }) => [path, agents]));
}

/** The agent changes a file and makes another; then the person types in the first. */
async function restorable([file]: readonly RoundFile[]): Promise<void> {
  file!.put();
  await rounds.agentWrites([[file!.path, file!.agents], [another(file!), file!.agents.replaceAll(/^p/gm, 'b')]]);
  await rounds.type(file!);
}

const things: readonly Rehearsed[] = [
  {
    what: 'a write',
    stride: 6,
    prepare: async ([file]) => {
      file!.put();
      await rounds.type(file!);
    },
    work: (file) => rounds.agentWrites([[file.path, file.agents], [another(file), file.agents.replaceAll(/^p/gm, 'b')]]),
  },
  { what: 'Keep', stride: 3, batch: KillRounds.batch, prepare: changed, work: ({ path }) => rounds.host.run('parley.keepFile', path) },
  { what: 'Undo', stride: 5, batch: KillRounds.batch, prepare: changed, work: ({ path }) => rounds.host.run('parley.undoFile', path) },
  {
    what: 'Undo of a new file',
    stride: 4,
    batch: KillRounds.batch,
    prepare: (files) => rounds.agentWrites(files.map(({ path, agents }) => [path, agents])),
    work: ({ path }) => rounds.host.run('parley.undoFile', path),
  },
  { what: 'a restore', stride: 7, prepare: restorable, work: (file) => rounds.restore(file) },
  {
    what: 'a redo',
    stride: 7,
    prepare: async (files) => {
      await restorable(files);
      await rounds.restore(files[0]!);
    },
    work: () => rounds.host.run('parley.redoRestore'),
  },
];

// A real process has to be killed at once, with all its threads.
describe.runIf(process.platform === 'linux')('nothing is lost, wherever the real extension host is killed', () => {
  test.each(things)('in $what', { timeout: takesAll ? 1_200_000 : 300_000 }, (thing) => rounds.killAtEach(thing));
});
