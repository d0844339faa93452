import { describe, expect, it } from 'vitest';
import type { PermissionOptionView } from '../../src/protocol/permissionView';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { isLong } from '../fakes/tries';
import { asking, card, options, pending } from './asking';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, asked, diff, threadView, toolCall } from './views.mjs';

useHarness();

const WORDS = 'Read the whole request first';
const longCommand = `node -e "${'console.log(`test of the tokenizer`); '.repeat(16)}"`;
const manyLines = Array.from({ length: 400 }, (_, i) => `echo line ${i}`).join('\n');
const many = Array.from({ length: 40 }, (_, i): PermissionOptionView => ({
  optionId: `o${i}`,
  name: `Allow on branch ${i}`,
  kind: i === 0 ? 'allow_once' : 'other',
}));
const longDiff = diff({
  path: '/work/src/long.ts',
  label: 'src/long.ts',
  added: 800,
  removed: 0,
  hunks: [{ oldStart: 0, newStart: 1, lines: Array.from({ length: 300 }, (_, i) => `+const line${i} = ${i};`) }],
});

/** Requests of every shape that is longer than some view. */
const requests: Record<string, ToolCallView> = {
  'a short command': asking('c', 'Ask', { command: 'npm test' }),
  'a long command': asking('c', 'Ask', { command: longCommand }),
  'a command of many lines': asking('c', 'Ask', { command: manyLines }),
  'a chain of commands': asking('c', 'Ask', {
    command: 'a',
    permissions: [
      asked(
        'r-c',
        'Ask',
        options,
        { command: Array.from({ length: 60 }, (_, i) => `step ${i}`).join(' && ') },
        { steps: Array.from({ length: 60 }, (_, i) => `step ${i}`) },
      ),
    ],
  }),
  'a long diff': asking('c', 'Ask', { content: [longDiff] }),
  'several diffs': asking('c', 'Ask', {
    content: Array.from({ length: 6 }, (_, i) => ({ ...longDiff, path: `/work/${i}.ts`, label: `${i}.ts` })) as never,
  }),
  'raw input': asking('c', 'Ask', { input: JSON.stringify({ note: 'x '.repeat(20_000) }, undefined, 2) }),
  'many options': asking('c', 'Ask', { permissions: [asked('r-c', 'Ask', many, { command: longCommand })] }),
  'a long reason': asking('c', 'Ask', {
    permissions: [
      { ...asked('r-c', 'Ask', options, { command: longCommand }), description: 'Why this is asked. '.repeat(80) },
    ],
  }),
  'a long title': asking('c', 'Ask', {
    permissions: [asked('r-c', `Ask ${'and go on '.repeat(200)}`.trim(), options, {})],
  }),
};

/** Columns of VS Code, its default one being 285 px, in a window of 900 px at 100 %, 150 % and 200 % zoom. */
const rooms = [
  [165, 370],
  [285, 370],
  [285, 520],
  [285, 800],
  [420, 520],
  [745, 800],
] as const;

/**
 * The requests that are shown in a room: all of them where the panel has VS Code's default width, and a third in each
 * other room, other ones in each. `npm run test:long` shows all of them in all rooms.
 */
const requestsIn = (room: (typeof rooms)[number]): string[] =>
  Object.keys(requests).filter((_, i) => isLong || room === rooms[1] || i % 3 === rooms.indexOf(room) % 3);

const before = Array.from({ length: 12 }, (_, i) => agentMessage(`m${i}`, `Message ${i}. `.repeat(20)));

/** The time that passes between two presses: within the pause after an answer some are too early. */
const STEP_MS = 250;

/** Shows one of them in a conversation of its own. */
async function ask(panel: PanelPage, name: string): Promise<void> {
  const request = requests[name]!;
  const requestId = `r-${name}`;
  await panel.show({
    ...threadView([...before, { ...request, permissions: [{ ...request.permissions[0]!, requestId }] }], {
      agent: 'Parley Demo',
      pendingQuestions: [{ ...pending('c', 'Ask'), requestId }],
    }),
    threadId: name,
  });
  await panel.page.locator('.permission').waitFor();
  await expect.poll(() => panel.page.locator('.permission').getAttribute('data-question')).toBe(requestId);
}

const answered = (panel: PanelPage, name = 'c') =>
  panel
    .posted('permission/select')
    .then((all) => all.filter(({ requestId }) => requestId === `r-${name}`).map(({ optionId }) => optionId));

describe('a request that has to be read first', () => {
  it.each(rooms.map((room) => [...room, requestsIn(room)] as const))(
    'is answered by clicks on its answer alone, %i x %i',
    async (width, height, names) => {
      const panel = await PanelPage.open({ width, height });
      for (const name of names) {
        await ask(panel, name);
        const { view, boxes, answer } = await panel.page.evaluate(() => {
          const place = (e: Element) => e.getBoundingClientRect().toJSON() as DOMRect;
          return {
            view: place(document.querySelector('.thread')!),
            boxes: [...document.querySelectorAll('.permission :is(.asked, .diff, .options)')].map(place),
            answer: place(document.querySelector('.permission .options > button')!),
          };
        });
        for (const box of boxes)
          expect(box.height, `${name}: a box of ${box.height} in ${view.height}`).toBeLessThanOrEqual(
            Math.max(0.4 * view.height, 64) + 1,
          );
        // Its answers are in view from the beginning, and stay there.
        expect(
          [answer.top >= view.top, answer.bottom <= view.bottom + 1],
          `${name}: ${JSON.stringify([answer, view])}`,
        ).toEqual([true, true]);
        let presses = 0;
        await expect
          .poll(
            async () => {
              const { x, y, hit, isLocked } = await panel.page.evaluate(() => {
                const first = document.querySelector('.permission .options > button')!;
                const { left, top, height } = first.getBoundingClientRect();
                const [x, y] = [left + 10, top + height / 2];
                return {
                  x,
                  y,
                  hit: document.elementFromPoint(x, y)?.closest('.options > button') !== null,
                  isLocked: first.hasAttribute('aria-disabled'),
                };
              });
              expect(hit, `${name}: something lies over the answer`).toBe(true);
              await panel.page.mouse.click(x, y);
              if (isLocked) presses++;
              await panel.advance(STEP_MS);
              return answered(panel, name);
            },
            { message: name, interval: 0 },
          )
          .toHaveLength(1);
        expect(presses, name).toBeLessThan(40);
      }
    },
  );

  it.each(rooms.slice(1, 4).map((room) => [...room, requestsIn(room)] as const))(
    'is answered by one key alone, %i x %i',
    async (width, height, names) => {
      const panel = await PanelPage.open({ width, height });
      for (const name of names) {
        await ask(panel, name);
        await panel.send({ type: 'focus/set', target: 'question' });
        await expect
          .poll(() => panel.page.locator('.permission').evaluate((e) => e === document.activeElement))
          .toBe(true);
        await expect
          .poll(
            async () => {
              await panel.page.keyboard.press('1');
              await panel.advance(STEP_MS);
              return answered(panel, name);
            },
            { message: name, interval: 0 },
          )
          .toHaveLength(1);
      }
    },
  );

  it('says so where it is and to a screen reader, looks locked until then, and no longer', async () => {
    for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
      const panel = await PanelPage.open({ width: 285, height: 560, theme });
      await panel.show(
        threadView([asking('c', 'Ask', { command: longCommand })], { pendingQuestions: [pending('c', 'Ask')] }),
      );
      const allow = card(panel, 'Ask').getByRole('button', { name: 'Yes, <b>do</b> it', exact: true });
      const look = () =>
        allow.evaluate((e) => {
          const { backgroundColor, opacity, outlineStyle } = getComputedStyle(e);
          const other = getComputedStyle(e.parentElement!.querySelector('button')!);
          return { isOwn: backgroundColor !== other.backgroundColor, opacity: Number(opacity), outlineStyle };
        });
      await expect
        .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
        .toMatchObject({ requestId: 'r-c', read: false });
      expect(await look(), theme).toEqual({ isOwn: false, opacity: 0.5, outlineStyle: 'none' });
      expect(await card(panel, 'Ask').getByText(WORDS).count()).toBe(0);
      await panel.send({ type: 'focus/set', target: 'question' });
      await expect.poll(() => card(panel, 'Ask').evaluate((e) => e === document.activeElement)).toBe(true);
      expect((await look()).outlineStyle).toBe('none');
      const box = card(panel, 'Ask').getByLabel('Command');
      await panel.page.keyboard.press('Enter');
      await card(panel, 'Ask').getByText(WORDS).waitFor();
      await panel.page.getByRole('status').getByText(WORDS).waitFor({ state: 'attached' });
      expect(await box.evaluate((e) => e.scrollTop)).toBeGreaterThan(0);
      expect(await answered(panel)).toEqual([]);
      // What is left of it is scrolled by its own keys.
      await box.focus();
      await panel.page.keyboard.press('End');
      await allow.and(panel.page.locator(':not([aria-disabled])')).waitFor();
      expect(await look(), theme).toMatchObject({ opacity: 1 });
      expect(await card(panel, 'Ask').getByText(WORDS).count()).toBe(0);
      await expect
        .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
        .toMatchObject({ requestId: 'r-c', read: true });
    }
  });

  it('is read with the wheel over the command, which goes on to the conversation', async () => {
    const panel = await PanelPage.open({ width: 285, height: 420 });
    await panel.show(
      threadView([asking('c', 'Ask', { command: manyLines.slice(0, 2_000), content: [longDiff] })], {
        pendingQuestions: [pending('c', 'Ask')],
      }),
    );
    const box = (await card(panel, 'Ask').getByLabel('Command').boundingBox())!;
    await panel.page.mouse.move(box.x + 40, box.y + 20);
    await expect
      .poll(
        async () => {
          await panel.page.mouse.wheel(0, 400);
          return card(panel, 'Ask').getByRole('button', { name: 'Reject', exact: true }).getAttribute('aria-disabled');
        },
        { interval: 0 },
      )
      .toBe(null);
  });

  it('is led to by the command that would answer it, out of view and in view', async () => {
    const panel = await PanelPage.open({ width: 285, height: 420 });
    await ask(panel, 'a long command');
    await panel.thread.focus();
    await panel.page.keyboard.press('Home');
    await panel.page.getByRole('group', { name: 'Waiting for you' }).waitFor();
    await panel.send({ type: 'focus/set', target: 'unread' });
    await panel.page.getByRole('status').getByText(WORDS).waitFor({ state: 'attached' });
    await card(panel, 'Ask').getByText(WORDS).waitFor();
    await expect.poll(() => card(panel, 'Ask').evaluate((e) => e === document.activeElement)).toBe(true);
    await expect
      .poll(async () => {
        await panel.send({ type: 'focus/set', target: 'unread' });
        return panel.posted('permission/shown').then((all) => all.at(-1));
      })
      .toMatchObject({ read: true });
    expect(await panel.posted('permission/select')).toEqual([]);
  });

  it('offers no way around: neither the list of all options nor a note', async () => {
    const panel = await PanelPage.open({ width: 285, height: 480 });
    const request = { ...asked('r-c', 'Ask', options, { command: longCommand }), moreOptions: 20 };
    await panel.show(
      threadView([toolCall('c', { title: 'Ask', status: 'waiting', durationMs: undefined, permissions: [request] })], {
        pendingQuestions: [pending('c', 'Ask')],
      }),
    );
    await card(panel, 'Ask').getByRole('button', { name: '20 more options…' }).click({ force: true });
    await card(panel, 'Ask').getByText(WORDS).waitFor();
    await card(panel, 'Ask').getByRole('button', { name: 'Reject with a note…' }).click();
    await card(panel, 'Ask').getByRole('textbox').fill('use pnpm');
    await panel.page.keyboard.press('Enter');
    expect([await answered(panel), await panel.posted('permission/showOptions')]).toEqual([[], []]);
    expect(await card(panel, 'Ask').getByRole('textbox').inputValue()).toBe('use pnpm');
  });

  it('moves no other answer under the pointer when it can be answered', async () => {
    const panel = await PanelPage.open({ width: 285, height: 800 });
    const [request] = requests['a short command']!.permissions!;
    const show = (checking: object) =>
      panel.show(
        threadView([asking('c', 'Ask', { command: 'npm test', permissions: [{ ...request!, ...checking }] })], {
          pendingQuestions: [pending('c', 'Ask')],
        }),
      );
    await show({ isChecking: true });
    const first = card(panel, 'Ask').locator('.options > button').first();
    await expect
      .poll(async () => {
        await first.click({ force: true });
        return card(panel, 'Ask').getByText('Parley is still checking this request').isVisible();
      })
      .toBe(true);
    const place = await first.boundingBox();
    await show({});
    await expect.poll(() => first.getAttribute('aria-disabled')).toBe(null);
    expect(await first.boundingBox()).toEqual(place);
  });
});
