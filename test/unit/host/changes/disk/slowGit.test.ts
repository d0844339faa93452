import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../fakes/fakeClock';
import { TurnWindow } from '../../../../fakes/turnWindow';
import { until } from '../../../../launch/poll.mjs';
import { contentOfText } from '../../../../../src/host/storage/contentInHand';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

/** What git finds once the prompt is sent may be the agent's work. */
describe('a prompt in a repository of which git is slow to tell', () => {
  let top: string;
  let window: TurnWindow;
  let clock: FakeClock;
  const at = (name: string) => join(top, name);
  const answer = () => writeFileSync(at('answer'), '');

  beforeEach(async () => {
    top = mkdtempSync(join(tmpdir(), 'parley-slow-git-'));
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    mkdirSync(at('bin'));
    // Tells what is not clean only once it may.
    writeFileSync(
      at('bin/git'),
      `#!/bin/sh\ncase " $* " in *" status "*) : > '${at('asked')}'; while [ -d '${top}' ] && [ ! -e '${at('answer')}' ]; do sleep 0.02; done;; esac\nexec '${git}' "$@"\n`,
    );
    chmodSync(at('bin/git'), 0o755);
    window = new TurnWindow(join(top, 'window'));
    window.environment = { ...process.env, PATH: `${at('bin')}${delimiter}${process.env['PATH']}` };
    window.patienceMs = undefined;
    // The times of files are real.
    clock = Object.assign(new FakeClock(), { now: () => Date.now() });
    window.clock = clock;
    writeFileSync(window.at('clean.txt'), 'only git has this\n');
    const inFolder = (...args: string[]) =>
      execFileSync(git, ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: window.folder,
        stdio: 'ignore',
      });
    inFolder('init', '-q');
    inFolder('add', '.');
    inFolder('commit', '-q', '-m', 'first');
    await window.open();
  });
  afterEach(() => {
    answer();
    window.end();
    rmSync(top, { recursive: true, force: true });
  });

  const begin = async () => {
    let isSent = false;
    const begun = window.begin().then(() => void (isSent = true));
    await until('git to be asked', () => existsSync(at('asked')));
    return { begun, isSent: () => isSent };
  };
  /** Time goes on until the file is believed, however long that takes. */
  const seen = async (name: string) => {
    let isSeen = false;
    const looked = window.seen(name).then(() => (isSeen = true));
    await until('the file to be believed', () => {
      clock.advance(100);
      return isSeen;
    });
    await looked;
  };

  it('waits for git, so that Undo has what the agent replaces at once', async () => {
    const { begun, isSent } = await begin();
    clock.advance(2_900);
    for (let i = 0; i < 20; i++) await nextTask();
    expect(isSent()).toBe(false);
    answer();
    await begun;
    writeFileSync(window.at('clean.txt'), 'the agent\n');
    await seen('clean.txt');
    expect(String(await window.undone('clean.txt', undefined))).toBe('only git has this\n');
  });

  it('waits no longer than its window, and leaves no timer behind', async () => {
    const { begun } = await begin();
    window.turns.dispose();
    await begun;
    expect(clock.running).toBe(0);
  });

  it('is sent after a while; what git says then of files that changed before is not believed', async () => {
    // Git will take it for clean.
    writeFileSync(window.at('clean.txt'), 'work of the user\n');
    const { begun } = await begin();
    clock.advance(3_000);
    await begun;
    writeFileSync(window.at('clean.txt'), 'only git has this\n');
    const looked = seen('clean.txt');
    answer();
    await looked;
    const whole = window.ledger.whole(window.at('clean.txt'));
    expect(whole).toBeDefined();
    expect(whole!.before).toBeUndefined();
  });

  it('holds up a write to a file that the agent has changed on disk as well', async () => {
    const { begun } = await begin();
    clock.advance(3_000);
    await begun;
    writeFileSync(window.at('clean.txt'), 'the agent\n');
    let isCaughtUp = false;
    const caughtUp = window.turns
      .catchUp(window.at('clean.txt'), contentOfText('the agent\n'))
      .then(() => (isCaughtUp = true));
    clock.advance(5_000);
    for (let i = 0; i < 20; i++) await nextTask();
    expect(isCaughtUp).toBe(false);
    answer();
    await seen('clean.txt');
    await caughtUp;
    expect(window.waits()).toEqual(['modified clean.txt']);
  });

  it('is sent after a while all the same, and guesses nothing then', async () => {
    const { begun } = await begin();
    clock.advance(3_000);
    await begun;
    writeFileSync(window.at('clean.txt'), 'the agent\n');
    answer();
    await seen('clean.txt');
    const whole = window.ledger.whole(window.at('clean.txt'));
    expect(whole).toBeDefined();
    expect(whole!.before).toBeUndefined();
  });
});
