import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ToolCallFields } from '../../../../../src/acp/decodeUpdate';
import type { ThreadAction } from '../../../../../src/thread/actions';
import { Random } from '../../../../fakes/random';
import { TurnWindow } from '../../../../fakes/turnWindow';
import { session } from '../../../../fakes/wholeWindow';
import { until } from '../../../../launch/poll.mjs';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

/** More than two beats of the pulse and a tick of the file system: whose a change is can be known then. */
const BEATS = 4;

/** Writes of a user outside the editor, and of an agent, in one turn. What is told of them comes late. */
class Story {
  readonly window: TurnWindow;
  readonly #random: Random;
  readonly #queue: (() => void)[] = [];
  readonly users = new Set<string>();
  readonly agents = new Set<string>();
  readonly #top = mkdtempSync(join(tmpdir(), 'parley-whose-'));
  #count = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.window = new TurnWindow(this.#top);
    this.window.caughtUp = async () => this.#tell();
  }

  async run(): Promise<void> {
    const { window } = this;
    await window.open();
    for (const name of ['shared.txt', 'gone/a.txt', 'gone/b.txt']) this.#put(name, 'one\ntwo\nthree\n');
    this.#put('named.txt', 'one\ntwo\nthree\n');
    await this.#wait();
    this.#user();
    await window.turns.begin(session);
    this.#user();
    await this.#wait();
    window.turns.sent(session, Date.now());
    for (let i = 0; i < 3; i++) {
      await this.#wait();
      await [() => this.#user(), () => this.#command(), () => this.#asked(), () => this.#told(), () => this.#edit()][
        this.#random.below(5)
      ]!();
    }
    await this.#wait();
    this.#user();
    await this.#wait();
    await this.#command();
    const at = Date.now();
    await this.#wait();
    this.#user();
    this.#tell();
    window.turns.end(session, at);
    this.#user();
    await until('the watch to end', () => !window.turns.isFollowing);
  }

  /** What somebody finds who looks at the review. */
  check(): void {
    const { window } = this;
    const pending = new Set([...window.ledger.paths].map((path) => path.slice(window.folder.length + 1)));
    expect(
      [...this.users].filter((name) => pending.has(name) && !this.agents.has(name)),
      'only of the user, and pending',
    ).toEqual([]);
    expect(
      [...this.agents].filter((name) => !pending.has(name) && !(this.users.has(name) && window.apart().includes(name))),
      'of the agent, and nowhere',
    ).toEqual([]);
  }

  /** No line of the user's goes with Undo. */
  async checkUndo(): Promise<void> {
    for (const name of this.users) {
      const now = this.#read(name);
      const left = await this.window.undone(name, now);
      const mine = String(now ?? '')
        .split('\n')
        .filter((line) => line.startsWith('user'));
      expect(
        mine.filter((line) => !String(left ?? '').includes(line)),
        name,
      ).toEqual([]);
    }
  }

  end(): void {
    this.window.end();
    rmSync(this.#top, { recursive: true, force: true });
  }

  #user(): void {
    const n = ++this.#count;
    const name = this.#random.next() < 0.5 ? `user${n}.txt` : 'shared.txt';
    this.users.add(name);
    this.#put(name, `${this.#read(name) ?? ''}user ${n}\n`);
  }

  #agent(name: string): void {
    this.agents.add(name);
    this.#put(name, `${this.#read(name) ?? ''}agent ${++this.#count}\n`);
  }

  async #command(): Promise<void> {
    const toolCallId = this.#call({ kind: 'execute', status: 'in_progress' });
    this.#agent(`agent${this.#count}.txt`);
    if (this.#random.next() < 0.5) await this.#look();
    this.#update({ toolCallId, status: 'completed' });
  }

  /** The user works while the agent waits. */
  async #asked(): Promise<void> {
    const toolCallId = this.#call({ kind: 'edit', status: 'pending' });
    await this.#wait();
    const fields = { toolCallId, locations: [{ path: this.window.at('shared.txt') }] };
    const requestId = `request ${toolCallId}`;
    this.#act({ type: 'permission/requested', at: Date.now(), requestId, fields, options: [] });
    await this.#wait();
    this.#user();
    await this.#wait();
    // Who changes a file twice before anybody looks has changed it once.
    await this.#look();
    this.#act({
      type: 'permission/resolved',
      at: Date.now(),
      requestId,
      choice: { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    });
    this.#agent('shared.txt');
    this.#update({ toolCallId, status: 'completed' });
  }

  /** A call that the agent tells of when it is over. */
  async #told(): Promise<void> {
    this.#act({
      type: 'message/chunkAppended',
      at: Date.now(),
      role: 'agent',
      content: { type: 'text', text: 'I run it' },
    });
    this.#agent(`agent${this.#count}.txt`);
    await this.#wait();
    this.#call({ kind: 'execute', status: 'completed' });
  }

  #edit(): void {
    const path = this.window.at('named.txt');
    const toolCallId = this.#call({ kind: 'edit', status: 'pending', locations: [{ path }] });
    this.#agent('named.txt');
    this.#update({ toolCallId, status: 'completed' });
  }

  #call(fields: Partial<ToolCallFields>): string {
    const toolCallId = `call${++this.#count}`;
    this.#update({ toolCallId, ...fields });
    return toolCallId;
  }

  #update(fields: ToolCallFields): void {
    this.#act({ type: 'toolCall/patched', at: Date.now(), fields });
  }

  /** The message was read now, and is handled some time later. */
  #act(action: ThreadAction): void {
    this.#queue.push(() => this.window.turns.act(session, action));
    if (this.#random.next() < 0.5) this.#tell();
  }

  #tell(): void {
    for (const tell of this.#queue.splice(0)) tell();
  }

  /** Somebody looks, before or after the messages were handled. */
  async #look(): Promise<void> {
    await this.window.turns.settle([...this.users, ...this.agents].map((name) => this.window.at(name)));
  }

  async #wait(): Promise<void> {
    const since = Date.now();
    let beats = 0;
    if (this.#random.next() < 0.3) await this.#look();
    await until('time to pass', () => ++beats > BEATS && Date.now() > since + BEATS * 50);
  }

  #put(name: string, text: string): void {
    mkdirSync(dirname(this.window.at(name)), { recursive: true });
    writeFileSync(this.window.at(name), text);
  }

  #read(name: string): Buffer | undefined {
    try {
      return readFileSync(this.window.at(name));
    } catch {
      return undefined;
    }
  }
}

it.concurrent.each(Array.from({ length: 8 }, (_, i) => i + 1))(
  'only an agent’s change is called an agent’s, however late anybody looks or listens (story %i)',
  async (seed) => {
    const story = new Story(seed);
    try {
      await story.run();
      story.check();
      await story.checkUndo();
    } finally {
      story.end();
    }
  },
);
