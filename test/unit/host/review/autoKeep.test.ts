import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { AutoKeep } from '../../../../src/host/review/autoKeep';
import type { HeadMove } from '../../../../src/host/review/headMoves';
import { targetsOf } from '../../../../src/changes/scope';
import { asAutoKeepMode, type AutoKeepMode, keepCandidates } from '../../../../src/changes/autoKeepRules';
import { Ledger } from '../../../../src/changes/ledger';
import { stillAsAsked, type Target, targetsIn } from '../../../../src/changes/scope';
import { reduce } from '../../../../src/thread/reducer';
import { Session } from '../../../../src/thread/session';
import { emptyThread, type Thread } from '../../../../src/thread/thread';
import { silentLogger } from '../../../../src/base/log';
import { FakeClock } from '../../../fakes/fakeClock';

let mode: AutoKeepMode;
let ledger: Ledger;
let thread: Thread;
let clock: FakeClock;
const changed = new Emitter<void>();
const threads = new Emitter<void>();
const moved = new Emitter<HeadMove>();
let told: number[];
let auto: AutoKeep;

beforeEach(() => {
  mode = 'never';
  ledger = new Ledger();
  thread = emptyThread;
  clock = new FakeClock();
  told = [];
});

afterEach(() => auto.dispose());

/** One session; `.env` is guarded. */
function begin(how: AutoKeepMode): void {
  mode = how;
  auto = new AutoKeep({
    review: {
      get sessions() {
        return [{ sessionId: 's', changes: ledger.changes }];
      },
      keepTargets: async (targets: readonly Target[]) => {
        for (const { path, ids } of targets) ledger.keep(path, ids);
        changed.fire();
        return targets.length;
      },
      look: async () => {},
      isGuarded: (path: string) => path.endsWith('.env'),
    },
    heads: { start: async () => undefined, turnEnded: () => undefined, onDidMove: moved.event },
    mode: () => mode,
    sessions: {
      get open() {
        return [{ id: 's', session: { thread } }];
      },
      onDidChange: threads.event,
    },
    told: (files) => told.push(files),
    clock,
  });
}

function wrote(path: string, before: string | undefined, after: string | undefined, turn = 'e0'): void {
  ledger.agentWrote(path, before, after, turn);
  changed.fire();
}

function prompt(): void {
  thread = reduce(thread, {
    type: 'turn/started',
    at: 1,
    turnId: `t${thread.entries.length}`,
    prompt: [{ type: 'text', text: 'go' }],
  } as never);
  threads.fire();
}

function ended(): void {
  thread = reduce(thread, { type: 'turn/ended', at: 2, turnId: thread.turn!.turnId, stopReason: 'end_turn' } as never);
  threads.fire();
}

const waiting = () => ledger.changes.map(({ path }) => path);
/** One commit of two files, `/p/a.ts` and the deletion of `/p/gone.ts` unless another text is given. */
function commits(at: number | undefined, text = 'b\n'): void {
  const made = at === undefined ? {} : { commitDate: new Date(at) };
  const files: Record<string, string> = { '/p/a.ts': text, '/p/.env': 'b\n', '/elsewhere/a.ts': 'b\n' };
  moved.fire({
    root: '/p',
    head: 'new',
    earlier: ['old'],
    commits: {
      getCommit: async () => ({ parents: ['old'], ...made }),
      show: async (hash, path) => (hash === 'old' ? 'a\n' : files[path]),
    },
  });
}
/** When the last turn is over for certain. */
function later(): number {
  clock.advance(1_001);
  return clock.now();
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('changes that are kept without a click', () => {
  it('never, unless the user wants it', async () => {
    begin('never');
    wrote('/p/a.ts', 'a\n', 'b\n');
    prompt();
    commits(later());
    clock.advance(100_000);
    await settled();
    expect(waiting()).toEqual(['/p/a.ts']);
  });

  it('with the next prompt: what earlier turns did, and nothing that is guarded', async () => {
    begin('onNextPrompt');
    prompt();
    wrote('/p/a.ts', 'a\n', 'b\n');
    wrote('/p/.env', 'a\n', 'b\n');
    ended();
    await settled();
    expect(waiting()).toEqual(['/p/a.ts', '/p/.env']);
    prompt();
    wrote('/p/c.ts', undefined, 'c\n', 'e1');
    await settled();
    expect([waiting(), told]).toEqual([['/p/.env', '/p/c.ts'], [1]]);
  });

  it('with the next prompt, also where the session was closed and opened again in between', async () => {
    begin('onNextPrompt');
    for (const turn of ['e0', 'e1']) {
      const session = new Session('s', clock, silentLogger, thread);
      void session.prompt([{ type: 'text', text: 'go' }], () => new Promise(() => undefined));
      thread = session.thread;
      threads.fire();
      if (turn === 'e0') wrote('/p/a.ts', 'a\n', 'b\n', turn);
      session.detach();
      session.dispose();
      thread = session.thread;
      if (thread.turn) ended();
      clock.advance(1_000);
    }
    await settled();
    expect([waiting(), told]).toEqual([[], [1]]);
  });

  it.each(['after10Seconds', 'constructor', 30, null, undefined, {}])('%j in the setting is no mode', (value) =>
    expect(asAutoKeepMode(value)).toBe('never'),
  );

  it('each value of the setting is a mode', () => {
    const { properties } = JSON.parse(readFileSync('package.json', 'utf8')).contributes.configuration;
    const values: string[] = properties['parley.review.autoKeep'].enum;
    expect(values.map(asAutoKeepMode)).toEqual(values);
  });

  it('with a commit: what is in it as it stands, and not what an agent may have committed itself', async () => {
    begin('onCommit');
    wrote('/p/a.ts', 'a\n', 'b\n');
    wrote('/p/gone.ts', 'a\n', undefined);
    wrote('/p/.env', 'a\n', 'b\n');
    wrote('/elsewhere/a.ts', 'a\n', 'b\n');
    prompt();
    commits(later());
    await settled();
    expect(waiting().length).toBe(4);
    ended();
    commits(later(), 'other\n');
    await settled();
    expect(waiting()).toEqual(['/p/a.ts', '/p/.env', '/elsewhere/a.ts']);
    commits(later());
    await settled();
    expect([waiting(), told]).toEqual([
      ['/p/.env', '/elsewhere/a.ts'],
      [1, 1],
    ]);
  });

  it('with a commit: not with one that was made before the last turn had ended, nobody knows when, or in time to come', async () => {
    begin('onCommit');
    prompt();
    wrote('/p/a.ts', 'a\n', 'b\n');
    clock.advance(60_000);
    ended();
    const end = clock.now();
    // Git tells late: the window had no focus.
    clock.advance(60_000);
    for (const at of [undefined, Number.NaN, end - 60_000, end, end + 1_000, clock.now() + 1]) commits(at);
    await settled();
    expect([waiting(), told]).toEqual([['/p/a.ts'], []]);
    commits(end + 1_001);
    await settled();
    expect([waiting(), told]).toEqual([[], [1]]);
  });

  it('not if the user has chosen otherwise while Git was slow', async () => {
    begin('onCommit');
    wrote('/p/a.ts', 'a\n', 'b\n');
    const at = later();
    moved.fire({
      root: '/p',
      head: 'new',
      earlier: ['old'],
      commits: {
        getCommit: async () => ({ parents: ['old'], commitDate: new Date(at) }),
        show: async (hash) => ((mode = 'never'), hash === 'old' ? 'a\n' : 'b\n'),
      },
    });
    await settled();
    expect([waiting(), told]).toEqual([['/p/a.ts'], []]);
  });

  it('what the new turn changes while they are kept is not among them, nor a place in which the user has to choose', () => {
    begin('never');
    const choose = () => targetsOf(keepCandidates([{ sessionId: 's', changes: ledger.changes }], () => false));
    wrote('/p/a.ts', '1\n2\n3\n4\n5\n', 'one\n2\nthree\n4\nfive\n');
    const [target] = choose();
    const still = () => stillAsAsked(target!, target!.asOf, ledger.get('/p/a.ts'))?.ids;
    expect(still()).toEqual(target!.ids);
    const [, second, third] = target!.ids!;
    wrote('/p/a.ts', 'one\n2\nthree\n4\nfive\n', 'uno\n2\nthree\n4\nfive\n', 'e1');
    expect(still()).toEqual([second, third]);
    ledger.edited('/p/a.ts', 'uno\n2\nmine\n4\nfive\n');
    ledger.done('/p/a.ts', 'undo', 'uno\n2\nmine\n4\nfive\n', [second!]);
    expect(still()).toEqual([third]);
    ledger.keep('/p/a.ts', [third!]);
    expect(still()).toBeUndefined();
  });

  it('a file that was gone and is written again by the new turn is not among them', () => {
    begin('never');
    wrote('/p/a.ts', 'a\n', undefined);
    const [target] = targetsOf(keepCandidates([{ sessionId: 's', changes: ledger.changes }], () => false));
    expect(stillAsAsked(target!, target!.asOf, ledger.get('/p/a.ts'))).toEqual(target);
    wrote('/p/a.ts', undefined, 'b\n', 'e1');
    expect(stillAsAsked(target!, target!.asOf, ledger.get('/p/a.ts'))).toBeUndefined();
  });
});

describe('a question that stands for a while', () => {
  it('is about the lines that were there when it was asked, wherever they are now', () => {
    const before = ['a', '1', 'b', '2', 'c', ''];
    ledger.agentWrote('/p/.env', before.join('\n'), 'A\n1\nb\n2\nC\n');
    ledger.agentWrote('/p/.npmrc', 'a\n', undefined);
    const asked = new Map(ledger.changes.map((change) => [change.path, change]));
    const targets = targetsIn([{ sessionId: 's', changes: ledger.changes }], {});
    const still = () => targets.map((target) => stillAsAsked(target, asked.get(target.path), ledger.get(target.path)));
    expect(still()).toEqual(targets);
    // The user types above the changes.
    ledger.edited('/p/.env', 'mine\nA\n1\nb\n2\nC\n');
    expect(still()).toEqual(targets);
    const [first, second] = asked.get('/p/.env')!.hunks;
    // The agent goes on: what it has done since was not asked for, what it has left alone was.
    ledger.agentWrote('/p/.env', 'mine\nA\n1\nb\n2\nC\n', 'mine\nA\n1\nB\n2\nCC\n');
    expect(still()).toEqual([{ sessionId: 's', path: '/p/.env', ids: [first!.id] }, targets[1]]);
    expect(
      stillAsAsked({ sessionId: 's', path: '/p/.env', ids: [second!.id] }, asked.get('/p/.env'), ledger.get('/p/.env')),
    ).toBeUndefined();
    ledger.agentWrote('/p/.npmrc', undefined, 'b\n');
    expect(still()[1]).toBeUndefined();
  });
});
