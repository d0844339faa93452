import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test, type Window } from './harness';
import { walkTo } from './underReview';

/*
 * What a session offers to choose: modes, models, and whatever else the agent tells. Each test has an agent of another
 * name, because Parley remembers the choices for the agent's next sessions.
 */

const named = (...names: string[]) => names.map((name) => ({ value: name.toLowerCase(), name }));
const configOptions = [
  { id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask', options: named('Ask', 'Yolo') },
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: 'quick',
    options: [
      { group: 'n', name: 'New', options: named('Quick', 'Deep') },
      { group: 'o', name: 'Old', options: named('Slow', 'Gone') },
    ],
  },
  {
    id: 'effort',
    name: 'Effort',
    category: 'thought_level',
    type: 'select',
    currentValue: 'low',
    options: named('Low', 'High'),
    when: { model: 'deep' },
  },
  { id: 'fast', name: 'Fast mode', category: 'model_config', type: 'boolean', currentValue: false },
];

function fakeAgent(name: string, options: Record<string, unknown>): FakeAgent {
  return new FakeAgent(newWireLog(), options, { name });
}

/** A panel whose session is open. */
async function begin(window: Window): Promise<Chat> {
  const chat = new Chat(await window.openChat());
  // The model has a picker of its own where the panel is wide enough.
  await window.workbench.setSecondarySideBarWidth(420);
  await chat.send('@@SAY ready');
  await chat.idle();
  return chat;
}

const chosen = (agent: FakeAgent) =>
  agent.received('session/set_config_option').map(({ params }) => [params.configId, params.value]);
/** Whether the entry of the status bar warns. */
const warns = (window: Window, name: RegExp) =>
  window.workbench
    .statusBarItem(name)
    .evaluate((item) => item.closest('.statusbar-item')!.classList.contains('warning-kind'));

test('161, 108: a model is chosen in the panel with the mouse and with the keyboard; the agent gets it', async ({
  openWindow,
}) => {
  const agent = fakeAgent('Models', { configOptions, refused: ['gone'] });
  const window = await openWindow({ settings: agent.settings });
  const chat = await begin(window);
  const { page } = window.workbench;

  await chat.button('Model: Quick').click();
  await chat.frame.getByRole('option', { name: 'Deep, New' }).click();
  await chat.button('Model: Deep').waitFor();
  await until('the agent to get it', () => chosen(agent).length === 1);
  expect(chosen(agent)).toEqual([['model', 'deep']]);
  await until('the focus in the message box', () => chat.box.evaluate((box) => box === document.activeElement));

  const model = chat.button('Model: Deep');
  await walkTo(window, 'Tab', model);
  await page.keyboard.press('ArrowDown');
  await chat.frame.getByRole('listbox', { name: 'Model' }).waitFor();
  await page.keyboard.press('s');
  await page.keyboard.press('Enter');
  await chat.button('Model: Slow').waitFor();
  await until('the agent to get it', () => chosen(agent).length === 2);
  expect(chosen(agent)[1]).toEqual(['model', 'slow']);

  await chat.button('Session options').click();
  await chat.frame.getByRole('menuitemcheckbox', { name: 'Fast mode', checked: false }).click();
  await chat.frame.getByRole('menuitemcheckbox', { name: 'Fast mode', checked: true }).waitFor();
  await page.keyboard.press('Escape');
  await until('the agent to get it', () => chosen(agent).length === 3);
  expect(agent.received('session/set_config_option').at(-1)!['params']).toMatchObject({
    configId: 'fast',
    type: 'boolean',
    value: true,
  });

  await chat.button('Model: Slow').click();
  await chat.frame.getByRole('option', { name: 'Gone, Old' }).click();
  await chat.frame.getByText('Model was not changed to Gone: gone is not available today').waitFor();
  await chat.button('Model: Slow').waitFor();
  await expect.poll(() => window.workbench.notification(/not available/).count()).toBe(0);

  await window.workbench.runCommand('Parley: New Session');
  await chat
    .button('Model: Quick')
    .or(chat.button(/^Agent: /))
    .first()
    .waitFor();
  await chat.send('@@SAY another');
  await chat.button('Model: Slow').waitFor();
  await expect
    .poll(() => chosen(agent).slice(-2))
    .toEqual([
      ['model', 'slow'],
      ['fast', true],
    ]);
  agent.check();
});

test('110, 160: the palette and the status bar choose the same options; a mode that acts without asking warns', async ({
  openWindow,
}) => {
  const agent = fakeAgent('Pickers', { configOptions, refused: ['gone'] });
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const chat = await begin(window);

  await workbench.openList('Parley: Select Model', /^Quick/);
  await expect.poll(() => workbench.quickInputRows(/^Quick/).innerText()).toContain('current');
  await workbench.pick(/^Deep/);
  await chat.button('Model: Deep').waitFor();

  await workbench.openList('Parley: Select Session Options', /^Fast mode/);
  await workbench.pick(/^Fast mode/);
  await expect.poll(() => workbench.quickInputRows(/^Fast mode/).innerText()).toContain('On');
  await workbench.pick(/^Effort/);
  await workbench.pick(/^High/);
  await until('all of it at the agent', () => chosen(agent).length === 3);
  expect(chosen(agent)).toEqual([
    ['model', 'deep'],
    ['fast', true],
    ['effort', 'high'],
  ]);

  expect(await warns(window, /^Parley: Pickers · Ask(,|$)/)).toBe(false);
  await workbench.statusBarItem(/^Parley: Pickers · Ask(,|$)/).click();
  await workbench.pick(/Yolo/);
  await workbench.statusBarItem(/^Parley: Pickers · Yolo(,|$)/).waitFor();
  expect(await warns(window, /^Parley: Pickers · Yolo(,|$)/)).toBe(true);
  await workbench.runCommand('Parley: Next Mode');
  await workbench.statusBarItem(/^Parley: Pickers · Ask(,|$)/).waitFor();
  expect(agent.received('session/set_mode')).toEqual([]);

  await workbench.hideSecondarySideBar();
  await workbench.openList('Parley: Select Model', /^Gone/);
  await workbench.pick(/^Gone/);
  await workbench.notification('Model was not changed to Gone: gone is not available today').waitFor();
  agent.check();
});
