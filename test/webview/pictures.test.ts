import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession } from 'playwright-core';
import type { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ThreadView } from '../../src/protocol/viewModel';
import { browserKind } from '../launch/chromium.mjs';
import { sharedBrowser } from '../launch/sharedBrowser.mjs';
import { faintTexts } from './faintTexts';
import { PanelPage, useHarness } from './panelPage';
import { acceptTree, removeStored, storedFolder, storedTree, StoredPicture } from './pictureFiles';
import { type PictureState, pictureStates } from './pictureStates.mjs';
import { PictureSheets } from './pictureSheets';
import { now } from './views.mjs';

useHarness();

const themes = ['dark', 'light', 'hc-dark', 'hc-light'] as const;
/** As the side bar that VS Code gives, a wider one, the widest column, and an editor tab. */
const rooms = [
  { name: '285', width: 285 },
  { name: '420', width: 420 },
  { name: '745', width: 745 },
  { name: 'tab', width: 1000 },
] as const;
/** On sheets also as the narrowest side bar. */
const sheetRooms = [{ name: '165', width: 165 }, ...rooms] as const;
const HEIGHT = 640;
/**
 * Less than the 4.5 of the accessibility check, which does not see every state: themes make secondary text fainter than
 * that.
 */
const LEAST_CONTRAST = 3;
/** The moment of the page, as in still.js. */
const MOMENT = Date.UTC(2026, 10, 20, 15);
/** Text is drawn in another way by each system and each Chromium. */
const versionFile = path.join(storedFolder, 'chromium.txt');
const isAccepting = process.env['PARLEY_ACCEPT_PICTURES'] === '1';
const isForSheets = process.env['PARLEY_PICTURE_SHEETS'] === '1';

const states = Object.entries(pictureStates);
const drawn: Record<string, string[]> = Object.fromEntries(rooms.map(({ name }) => [name, []]));
const trees: string[] = [];
const faint: string[] = [];
const seen = new Set<string>();
let isComparable = true;
let session: CDPSession | undefined;

/** The same state at the moment of the page. */
function atMoment<T>(value: T): T {
  if (typeof value === 'number') return (Math.abs(value - now) < 100 * 86_400_000 ? value + MOMENT - now : value) as T;
  if (Array.isArray(value)) return value.map(atMoment) as T;
  return typeof value === 'object' && value !== null
    ? (Object.fromEntries(Object.entries(value).map(([key, one]) => [key, atMoment(one)])) as T)
    : value;
}

async function enter(panel: PanelPage, { name, width }: (typeof sheetRooms)[number], theme: number): Promise<void> {
  await panel.page.setViewportSize({ width, height: HEIGHT });
  await panel.page.evaluate((isTab) => document.documentElement.classList.toggle('in-editor', isTab), name === 'tab');
  await panel.setTheme(themes[theme]!);
}

/** Depends on the name alone, so that a new state leaves the pictures of the others as they are. */
function turnOf(state: string): number {
  return [...state].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}

/** Goes through all states in a room and a theme. Each state has another theme in each room. */
async function visit(panel: PanelPage, room: number, theme: number): Promise<void> {
  const { name, width } = rooms[room]!;
  await enter(panel, rooms[room]!, theme);
  for (const [state, scene] of states) {
    if ((turnOf(state) + room + theme) % themes.length !== 0) continue;
    await show(panel, state, scene);
    if (isComparable) await look(panel, `${state}.${name}.${themes[theme]}`, drawn[name]!);
    if (name === '420') {
      if (scene.isTall) await panel.page.setViewportSize({ width, height: 4 * HEIGHT });
      await read(panel, state);
      if (scene.isTall) await panel.page.setViewportSize({ width, height: HEIGHT });
    }
    faint.push(
      ...(await panel.page.evaluate(faintTexts, LEAST_CONTRAST)).map(
        (text) => `${state}.${name}.${themes[theme]}: ${text}`,
      ),
    );
    await scene.leave?.(panel.page);
  }
}

/** All states in a room and a theme, to be looked at. */
async function lay(panel: PanelPage, room: (typeof sheetRooms)[number], theme: number): Promise<void> {
  const sheets = new PictureSheets(`${room.name}.${themes[theme]}`);
  await enter(panel, room, theme);
  for (const [name, state] of states) {
    await show(panel, name, state);
    sheets.add(
      name,
      await settled(
        () => capture(panel),
        (a, b) => a.data.equals(b.data),
      ),
    );
    await state.leave?.(panel.page);
  }
  sheets.write();
}

async function show(panel: PanelPage, name: string, { view, ui, act }: PictureState): Promise<void> {
  // Where the focus was before is not of this state, nor what was said last.
  await panel.page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    for (const line of document.querySelectorAll('.visually-hidden[role=status] > div')) line.remove();
  });
  await panel.show(atMoment({ ...view, threadId: name }) as ThreadView, ui);
  await act?.(panel.page);
}

/** Looks until the picture is as the stored one: fonts, colours of code and the like come later. */
async function look(panel: PanelPage, name: string, failures: string[]): Promise<void> {
  const stored = new StoredPicture(name);
  seen.add(`${name}.png`);
  if (isAccepting)
    return stored.accept(
      await settled(
        () => capture(panel),
        (a, b) => a.data.equals(b.data),
      ),
    );
  const end = Date.now() + patience(failures);
  let picture = await capture(panel);
  while (stored.difference(picture) > 0 && Date.now() < end) {
    await panel.frames();
    picture = await capture(panel);
  }
  if (stored.difference(picture) > 0) failures.push(stored.report(picture));
}

/** What a screen reader finds. */
async function read(panel: PanelPage, name: string): Promise<void> {
  const tree = async () => `${await panel.page.locator('body').ariaSnapshot()}\n`;
  seen.add(`${name}.yml`);
  if (isAccepting) return acceptTree(name, await settled(tree, (a, b) => a === b));
  const end = Date.now() + patience(trees);
  let found = await tree();
  while (found !== storedTree(name) && Date.now() < end) {
    await panel.frames();
    found = await tree();
  }
  if (found !== storedTree(name)) trees.push(`${name}: differs from test/webview/pictures/${name}.yml\n${found}`);
}

/** Once some differ for good, the rest is not waited for as long. */
function patience(failures: readonly string[]): number {
  return failures.length < 3 ? 30_000 : 1_000;
}

/** What stays the same for a while. */
async function settled<T>(get: () => Promise<T>, isSame: (a: T, b: T) => boolean): Promise<T> {
  let last = await get();
  for (let same = 0; same < 2;) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    const next = await get();
    same = isSame(last, next) ? same + 1 : 0;
    last = next;
  }
  return last;
}

/** Half as long as Playwright takes: nothing moves here. */
async function capture({ page }: PanelPage): Promise<PNG> {
  session ??= await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  return StoredPicture.read(Buffer.from(data, 'base64'));
}

/** What is stored of states that are no more. */
function stale(): string[] {
  return readdirSync(storedFolder).filter(
    (file) => (isComparable || file.endsWith('.yml')) && !seen.has(file) && file !== path.basename(versionFile),
  );
}

describe.runIf(isForSheets)('every state in every room and theme', () => {
  it('is on sheets in out/pictures/sheets', async () => {
    PictureSheets.clear();
    const panel = await PanelPage.open({ isStill: true, height: HEIGHT });
    for (const room of sheetRooms) for (const [theme] of themes.entries()) await lay(panel, room, theme);
  }, 3_600_000);
});

describe.skipIf(isForSheets)('the panel in every state', () => {
  beforeAll(
    async () => {
      const version = browserKind((await sharedBrowser()).version());
      isComparable =
        isAccepting ||
        (process.platform === 'linux' &&
          existsSync(versionFile) &&
          readFileSync(versionFile, 'utf8').trim() === version);
      const panel = await PanelPage.open({ isStill: true, height: HEIGHT });
      await panel.page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
      for (const [room] of rooms.entries()) for (const [theme] of themes.entries()) await visit(panel, room, theme);
      if (!isAccepting) return;
      for (const file of stale()) removeStored(file);
      writeFileSync(versionFile, `${version}\n`);
    },
    isAccepting ? 1_800_000 : undefined,
  );

  it.for(rooms.map(({ name }) => name))('looks as in the stored pictures, %s', (room, { skip }) => {
    if (!isComparable) skip('The stored pictures are of another system or Chromium.');
    expect(drawn[room], 'If this is right, accept it: npm run test:pictures -- --accept').toEqual([]);
  });

  it('reads as in the stored trees', () => {
    expect(trees, 'If this is right, accept it: npm run test:pictures -- --accept').toEqual([]);
  });

  it('has no text that can hardly be seen', () => {
    expect(faint).toEqual([]);
  });

  it('has a picture for each file that is stored', () => {
    expect(stale()).toEqual([]);
  });
});
