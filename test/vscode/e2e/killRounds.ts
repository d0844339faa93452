import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import type { Window } from './harness';
import { reachableLines, standingLines } from './kept';
import { MortalHost } from './mortalHost';

/** Files that one prompt of the agent prepares, each for a round of its own. */
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

  /** What the user has in it; no other file has these lines. */
  get persons(): string {
    return ['one', 'two', 'three', 'four', 'five'].map((line) => `p ${this.name} ${line} ${this.round}\n`).join('');
  }

  /** What the agent makes of that. */
  get agents(): string {
    return this.persons.replace(/^p (\w+ two)/m, 'a $1').replace(/^p (\w+ four)/m, 'a $1');
  }

  /** A line that the user types. */
  get typed(): string {
    return `p ${this.name} typed ${this.round}`;
  }

  put(): void {
    writeFileSync(this.path, this.persons);
  }
}

/**
 * What is done in a round: the files of some rounds are prepared together, then one thing is done to each and killed.
 */
export interface Rehearsed {
  readonly what: string;
  /** How many rounds are prepared together; one where their preparations would disturb each other. */
  readonly batch?: number;
  readonly prepare: (files: readonly RoundFile[]) => Promise<void>;
  readonly work: (file: RoundFile) => Promise<unknown>;
}

/**
 * How many rounds share a window. What is not saved and not decided is kept before each prompt, file by file: with the
 * files of all rounds before, a write would have ever more steps.
 */
const ROUNDS_OF_A_WINDOW = 2 * BATCH;

/**
 * Rounds in which the extension host is killed. Each has files and lines of its own, and afterwards all lines, those of
 * the rounds before in this window too, must be there.
 */
export class KillRounds {
  private current: { readonly window: Window; readonly host: MortalHost } | undefined;
  private readonly lines = new Set<string>();
  /** Files of the next rounds. */
  private ready: RoundFile[] = [];
  private round = 0;
  private roundsOfWindow = 0;

  /** @param open opens a window with an empty folder @param socket the variable PARLEY_KILLER of its server */
  constructor(
    private readonly open: () => Promise<Window>,
    private readonly socket: string,
  ) {}

  static readonly batch = BATCH;

  private get window(): Window {
    return this.current!.window;
  }

  get host(): MortalHost {
    return this.current!.host;
  }

  /** Goes on in a new window with an empty folder. */
  async renew(): Promise<void> {
    await this.close();
    this.lines.clear();
    this.ready = [];
    this.roundsOfWindow = 0;
    const window = await this.open();
    this.current = { window, host: new MortalHost(window.workbench, this.socket) };
    await window.openChat();
    await this.host.alive();
  }

  async close(): Promise<void> {
    await this.current?.window.close();
    this.current = undefined;
  }

  /** The user types a line at the end of a file, without saving. */
  async type(file: RoundFile): Promise<void> {
    await this.host.ask('type', { file: file.path, text: `${file.typed}\n` });
    this.lines.add(file.typed);
  }

  /** In a new session the agent writes files. @param files texts by path */
  async agentWrites(files: readonly (readonly [path: string, text: string])[]): Promise<void> {
    await this.host.run('parley.newSession');
    await this.host.whileAlive(async (isAlive) => {
      const chat = await this.emptyPanel(isAlive);
      if (chat === 'gone') return;
      await chat.box.fill(
        files.map(([path, text]) => `%%WRITE ${path} ${Buffer.from(text).toString('base64')}`).join('\n'),
      );
      await chat.box.press('Enter');
      let said = '';
      await until(
        () => `the writes; the panel shows: ${said.slice(-300)}`,
        async () => {
          said = await chat.text().catch(() => '');
          return (
            !isAlive() ||
            (said.split('[WRITE').length > files.length &&
              (await chat
                .button('Stop')
                .count()
                .catch(() => 1)) === 0)
          );
        },
      );
      if (isAlive()) expect(said).not.toContain('[WRITE error');
    });
  }

  /**
   * The panel of the host that runs now: that of a host which was killed still shows the session before. It may never
   * come where the host is killed meanwhile: from the third time on VS Code starts it again only when told to.
   */
  private async emptyPanel(isAlive: () => boolean): Promise<Chat | 'gone'> {
    return until('the panel of the new session', async () => {
      if (!isAlive()) return 'gone';
      const frame = await this.window.workbench.chat({ timeout: 1_000 }).catch(() => undefined);
      const chat = frame && new Chat(frame);
      return (
        chat !== undefined &&
        (await chat.log
          .locator('.user-message')
          .count()
          .catch(() => 1)) === 0 &&
        chat
      );
    });
  }

  /** Goes back to before the only prompt of the session, in which the agent changed this file. */
  async restore(file: RoundFile): Promise<void> {
    const { workbench } = this.window;
    await this.host.whileAlive(async (isAlive) => {
      const restored = this.host.run('parley.restoreCheckpoint');
      // A host that is killed takes its list along.
      const accept = async (what: string, sign: Locator): Promise<void> => {
        await until(what, async () => !isAlive() || sign.isVisible());
        if (isAlive())
          await workbench.quickInput
            .press('Enter', { timeout: 2_000 })
            .catch((error: unknown) => expect(isAlive(), String(error)).toBe(false));
      };
      const choose = async (): Promise<void> => {
        const filesOnly = workbench.quickInputRows('Files only');
        await until('the choice', async () => !isAlive() || filesOnly.isVisible());
        if (isAlive())
          await filesOnly
            .click({ timeout: 2_000 })
            .catch((error: unknown) => expect(isAlive(), String(error)).toBe(false));
      };
      const ok = workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' });
      await Promise.all([
        restored,
        accept('the list of prompts', workbench.quickInputRows('WRITE').first())
          .then(() => choose())
          .then(() => accept('the list of files', ok)),
      ]);
      expect(await this.textOf(file)).toBe(file.persons);
    });
  }

  /** What an editor shows of a file, else what the disk holds. */
  private async textOf({ path }: RoundFile): Promise<string> {
    const documents = await this.host.ask<{ readonly uri: string; readonly text: string }[]>('documents');
    return documents.find(({ uri }) => uri.endsWith(`/${basename(path)}`))?.text ?? readFileSync(path, 'utf8');
  }

  /** Does one thing again and again, each time killed at a later step, until it ends before that. */
  async killAtEach(thing: Rehearsed): Promise<void> {
    await this.renew();
    for (let at = 1; ; at++) {
      const steps = await this.killAt(thing, at);
      if (!steps) continue;
      // It was done, and killed before.
      expect(steps.length, thing.what).toBeGreaterThan(2);
      expect(at, thing.what).toBeGreaterThan(1);
      console.log(`${thing.what}: killed at each of ${steps.length} steps`);
      return;
    }
  }

  /** Does one thing, killed at this step. @returns its steps where it ended before that */
  async killAt({ what, batch = 1, prepare, work }: Rehearsed, at: number): Promise<readonly string[] | undefined> {
    if (this.ready.length === 0) {
      if (this.roundsOfWindow >= ROUNDS_OF_A_WINDOW) await this.renew();
      this.ready = Array.from(
        { length: batch },
        () => new RoundFile(this.window.folder, what.replaceAll(' ', ''), ++this.round),
      );
      await prepare(this.ready);
    }
    this.roundsOfWindow += 1;
    const file = this.ready.shift()!;
    const steps = await this.host.until(at, () => work(file));
    await this.check(`${what}, killed at step ${at}`);
    return steps;
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
    await until('all lines', () => isAllThere().catch((error: unknown) => void (lost = [String(error)])), {
      timeout: 30_000,
    }).catch(() => undefined);
    expect(lost, when).toEqual([]);
  }
}
