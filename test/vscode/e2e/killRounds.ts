import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import type { Window } from './harness';
import { reachableLines, standingLines } from './kept';
import { MortalHost } from './mortalHost';

/** Files that are made ready with one prompt of the agent, each for a round of its own. */
const BATCH = 8;

/** A file of one round. */
export class RoundFile {
  constructor(
    private readonly folder: string,
    private readonly name: string,
    private readonly round: number,
  ) {}

  get path(): string {
    return join(this.folder, `${this.name}-${this.round}.txt`);
  }

  /** What the person has in it; no other file has these lines. */
  get persons(): string {
    return ['one', 'two', 'three', 'four', 'five'].map((line) => `p ${this.name} ${line} ${this.round}\n`).join('');
  }

  /** What the agent makes of that. */
  get agents(): string {
    return this.persons.replace(/^p (\w+ two)/m, 'a $1').replace(/^p (\w+ four)/m, 'a $1');
  }

  /** A line that the person types. */
  get typed(): string {
    return `p ${this.name} typed ${this.round}`;
  }

  put(): void {
    writeFileSync(this.path, this.persons);
  }
}

/** What is done in a round: all files of some rounds are made ready before, and then the thing that is killed. */
export interface Rehearsed {
  readonly what: string;
  /** How many steps further it is killed each time, where only some are taken. */
  readonly stride: number;
  /** One round; more at once where all of them can be made ready together. */
  readonly batch?: number;
  readonly prepare: (files: readonly RoundFile[]) => Promise<void>;
  readonly work: (file: RoundFile) => Promise<unknown>;
}

/**
 * Rounds in one window, in each of which the extension host is killed. Each has files and lines of its own, and afterwards
 * all lines, those of the rounds before too, must be there.
 */
export class KillRounds {
  readonly host: MortalHost;
  private readonly lines = new Set<string>();
  private round = 0;

  /** @param takesAll kills at every step */
  constructor(
    private readonly window: Window,
    socket: string,
    private readonly takesAll: boolean,
  ) {
    this.host = new MortalHost(window.workbench, socket);
  }

  static readonly batch = BATCH;

  /** The person types a line at the end of a file, without saving. */
  async type(file: RoundFile): Promise<void> {
    await this.host.ask('type', { file: file.path, text: `${file.typed}\n` });
    this.lines.add(file.typed);
  }

  /** In a new session the agent writes files. @param files texts by path */
  async agentWrites(files: readonly (readonly [path: string, text: string])[]): Promise<void> {
    await this.host.run('parley.newSession');
    const prompt = files.map(([path, text]) => `%%WRITE ${path} ${Buffer.from(text).toString('base64')}`).join('\n');
    let said = '';
    const look = async (): Promise<Frame> => {
      await this.host.ask('pid');
      const frame = await this.window.workbench.chat();
      said = await frame.getByRole('log', { name: 'Conversation' }).innerText({ timeout: 500 }).catch(() => '');
      return frame;
    };
    // Until the new session is shown the one before it is, and a panel whose host has just ended gives way to another.
    const isShown = (): boolean => said.includes(basename(files[0]![0]));
    await until('the prompt in the conversation', async () => {
      const box = (await look()).getByRole('textbox', { name: 'Message' });
      if (isShown()) return true;
      await box.fill(prompt, { timeout: 1_000 }).then(() => box.press('Escape')).then(() => box.press('Enter')).catch(() => undefined);
      return until('it to be taken', async () => (await look(), isShown()), { timeout: 3_000 }).catch(() => this.host.ask('pid').then(() => false));
    });
    await until('the writes', async () => {
      const stop = (await look()).getByRole('button', { name: 'Stop', exact: true });
      return said.split('[WRITE').length > files.length && (await stop.count().catch(() => 1)) === 0;
    });
    expect(said).not.toContain('[WRITE error');
  }

  /** Goes back to before the only prompt of the session, in which the agent changed this file. */
  async restore(file: RoundFile): Promise<void> {
    const { workbench } = this.window;
    const ok = workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' });
    await until('the file as it was', async () => {
      let isOver = false;
      const restored = this.host.run('parley.restoreCheckpoint').finally(() => (isOver = true));
      // One list takes the place of the other, and a click may fall between them; a host that was killed shows none any more.
      const click = (what: string, target: Locator): Promise<unknown> => until(what, async () => isOver || target.click({ timeout: 1_000 }).then(() => true, () => false), { timeout: 10_000 });
      const choose = async (): Promise<void> => {
        await click('the list of prompts', workbench.quickInputRows('WRITE').first());
        await click('the list of files', ok);
      };
      await Promise.all([restored, choose().catch(() => (isOver ? undefined : workbench.page.keyboard.press('Escape')))]);
      return readFileSync(file.path, 'utf8') === file.persons || (await this.textOf(file)) === file.persons;
    });
  }

  private async textOf({ path }: RoundFile): Promise<string | undefined> {
    const documents = await this.host.ask<{ readonly uri: string; readonly text: string }[]>('documents');
    return documents.find(({ uri }) => uri.endsWith(`/${basename(path)}`))?.text;
  }

  /** Does one thing again and again, each time killed at a later step, until it ends before that. */
  async killAtEach({ what, stride, batch = 1, prepare, work }: Rehearsed): Promise<void> {
    let ready: RoundFile[] = [];
    await this.host.alive();
    for (let at = 1; ; at += this.takesAll ? 1 : stride) {
      if (ready.length === 0) {
        ready = Array.from({ length: batch }, () => new RoundFile(this.window.folder, what.replaceAll(' ', ''), ++this.round));
        await prepare(ready);
      }
      const file = ready.shift()!;
      const steps = await this.host.until(at, () => work(file));
      await this.check(`${what}, killed at step ${at}`);
      if (!steps) continue;
      // It was done, and killed before.
      expect(steps.length, what).toBeGreaterThan(2);
      expect(at, what).toBeGreaterThan(1);
      console.log(`${what}: killed at ${this.takesAll ? 'each' : `one in ${stride}`} of ${steps.length} steps`);
      return;
    }
  }

  /** All lines that stood somewhere up to now can be got at. */
  private async check(when: string): Promise<void> {
    for (const line of await standingLines(this.window, this.host)) this.lines.add(line);
    let lost: string[] = [];
    const isAllThere = async (): Promise<boolean> => {
      const found = await reachableLines(this.window, this.host);
      lost = [...this.lines].filter((line) => !found.has(line));
      return lost.length === 0;
    };
    // What is saved just now may be read half.
    await until('all lines', () => isAllThere().catch((error: unknown) => void (lost = [String(error)])), { timeout: 5_000 }).catch(() => undefined);
    expect(lost, when).toEqual([]);
  }
}
