import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, userMessage } from './views.mjs';

declare global {
  interface Window {
    /** The notes of the sounds that were played, in Hz. */
    notes: number[];
    /** Whether the user has done something in the panel, and how often that was asked. */
    wasThere: boolean;
    asked: number;
  }
}

useHarness();

const commands = [
  { name: 'review', description: 'Review the changes' },
  { name: 'test', description: 'Run the tests', hint: 'pattern' },
  { name: 'rewrite', description: 'Rewrite a file' },
];
const running = { running: true, startedAt: Date.now(), stopping: false, canForceStop: false };

describe('message box', () => {
  it('sends with Enter, breaks lines with Shift+Enter, and is empty at once', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('one');
    await panel.box.press('Shift+Enter');
    await panel.box.pressSequentially('two');
    await panel.box.press('Enter');
    await expect
      .poll(() => panel.posted('prompt/submit'))
      .toEqual([{ type: 'prompt/submit', text: 'one\ntwo', mentions: [], attachments: [] }]);
    await expect.poll(() => panel.box.inputValue()).toBe('');
  });

  it('sends what was entered before the host had said anything once it has, to the agent that it names', async () => {
    const panel = await PanelPage.open();
    await panel.box.fill('quick');
    await panel.box.press('Enter');
    await panel.show(threadView());
    await expect
      .poll(() => panel.posted('prompt/submit'))
      .toEqual([{ type: 'prompt/submit', text: 'quick', mentions: [], attachments: [] }]);
    expect(await panel.posted('agent/select')).toEqual([]);
    await panel.show(threadView());
    expect(await panel.posted('prompt/submit')).toHaveLength(1);
  });

  it('sends with Ctrl+Enter where the user set it so', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { sendWith: 'ctrlEnter' }));
    await panel.box.pressSequentially('one');
    await panel.box.press('Enter');
    await panel.box.pressSequentially('two');
    await expect.poll(() => panel.posted('prompt/submit')).toEqual([]);
    await panel.box.press('Control+Enter');
    expect((await panel.posted('prompt/submit')).map((m) => m.text)).toEqual(['one\ntwo']);
  });

  it('offers what the agent suggests in the empty box, and sends nothing of it by itself', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { suggestion: 'Run the\u202e tests' }));
    await expect.poll(() => panel.box.getAttribute('placeholder')).toContain('Run the');
    await panel.box.pressSequentially('x');
    await panel.box.press('ArrowRight');
    expect(await panel.box.inputValue()).toBe('x');
    await panel.box.press('Backspace');
    await panel.box.press('ArrowRight');
    await expect.poll(() => panel.box.inputValue()).toBe('Run the⟨U+202E⟩ tests');
    expect(await panel.posted('prompt/submit')).toEqual([]);
  });

  it('sends nothing while an input method composes', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.fill('にほん');
    await panel.box.evaluate((e) => {
      e.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
      );
      e.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }));
    });
    await expect.poll(() => panel.posted('prompt/submit')).toEqual([]);
    await panel.box.press('Enter');
    await expect.poll(() => panel.posted('prompt/submit')).toHaveLength(1);
  });

  it('sends nothing that is empty', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.fill('  \n ');
    await panel.box.press('Enter');
    await expect.poll(() => panel.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await expect.poll(() => panel.posted('prompt/submit')).toEqual([]);
  });

  it('grows with its text, up to a part of the panel', async () => {
    const panel = await PanelPage.open({ height: 600 });
    await panel.show(threadView());
    const height = async () => (await panel.box.boundingBox())!.height;
    const one = await height();
    await panel.box.fill('1\n2\n3\n4');
    await expect.poll(() => height()).toBeGreaterThan(one + 50);
    await panel.box.fill('line\n'.repeat(100));
    await expect.poll(() => height()).toBeLessThanOrEqual(242);
  });

  it('offers Stop while a turn runs, and hands what is sent meanwhile to the host, which queues it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { turn: running }));
    await expect.poll(() => panel.page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    await panel.box.fill('next');
    await panel.page.getByRole('button', { name: 'Send' }).waitFor();
    await panel.box.press('Enter');
    await expect.poll(async () => (await panel.posted('prompt/submit')).map((m) => m.text)).toEqual(['next']);
    await expect.poll(() => panel.box.inputValue()).toBe('');
    await panel.page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => panel.posted('turn/cancel')).toHaveLength(1);
    await panel.patch({ op: 'panel/set', fields: { turn: { ...running, stopping: true } } });
    await expect.poll(() => panel.page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    await panel.patch({ op: 'panel/set', fields: { turn: { ...running, stopping: true, canForceStop: true } } });
    await panel.page.getByRole('button', { name: 'Force Stop' }).click();
    await expect.poll(() => panel.posted('notice/act')).toEqual([{ type: 'notice/act', action: 'forceStop' }]);
  });

  it('tells in one line what the agent does and for how long, and can follow it', async () => {
    const panel = await PanelPage.open();
    const line = panel.page.getByRole('note', { name: 'Running turn' });
    const turn = { ...running, startedAt: Date.now() - 42_000 };
    await panel.show(threadView([], { turn }));
    await expect.poll(() => line.innerText()).toMatch(/Working\s*\d+ s/);
    await panel.patch({ op: 'panel/set', fields: { turn: { ...turn, activity: 'npm test' } } });
    await expect.poll(() => line.innerText()).toMatch(/npm test\s*\d+ s/);
    await panel.patch({
      op: 'panel/set',
      fields: { pendingQuestions: [{ requestId: 'r', entryId: 'e', kind: 'permission', title: 'Run it', askedAt: 0 }] },
    });
    // One line says it: what the agent asks.
    await panel.page.getByRole('group', { name: 'Waiting for you' }).waitFor();
    await expect.poll(() => line.count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { pendingQuestions: [] } });
    const follow = line.getByRole('button', { name: 'Follow the agent' });
    expect(await follow.getAttribute('aria-pressed')).toBe('false');
    await follow.click();
    expect(await panel.nextPosted('follow/toggle')).toEqual({ type: 'follow/toggle' });
    await panel.patch({ op: 'panel/set', fields: { follows: true } });
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('true');
    await panel.patch({ op: 'panel/set', fields: { turn: { running: false, stopping: false, canForceStop: false } } });
    await expect.poll(() => line.count()).toBe(0);
  });

  it('plays a sound of two notes, but none before the user has been there', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([]));
    await panel.page.evaluate(() => {
      window.notes = [];
      window.asked = 0;
      // What a test evaluates counts as something that the user did.
      Object.defineProperty(navigator, 'userActivation', {
        get: () => ({ hasBeenActive: (window.asked++, window.wasThere) }),
      });
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (this: OscillatorNode, when?: number) {
        window.notes.push(this.frequency.value);
        start.call(this, when);
      };
    });
    const notes = () => panel.page.evaluate(() => window.notes);
    const wasThere = (was: boolean) => panel.page.evaluate((value) => (window.wasThere = value), was);
    await wasThere(true);
    await panel.send({ type: 'sound/play', sound: 'waiting', volume: 0.7 });
    const asked = () => panel.page.evaluate(() => window.asked);
    await expect.poll(notes).toEqual([587, 880]);
    await wasThere(false);
    await panel.send({ type: 'sound/play', sound: 'waiting', volume: 0.7 });
    await expect.poll(asked).toBe(2);
    expect(await notes()).toEqual([587, 880]);
    await wasThere(true);
    await panel.send({ type: 'sound/play', sound: 'finished', volume: 0.7 });
    await expect.poll(notes).toEqual([587, 880, 880, 587]);
  });

  it('recalls earlier prompts with the arrow keys and gives the draft back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { history: ['first', 'second\nwith two lines'] }));
    await panel.box.press('ArrowUp');
    await expect.poll(() => panel.box.inputValue()).toBe('second\nwith two lines');
    await panel.box.press('ArrowUp');
    await expect.poll(() => panel.box.inputValue()).toBe('second\nwith two lines');
    await panel.box.press('ArrowUp');
    await expect.poll(() => panel.box.inputValue()).toBe('first');
    await panel.box.press('ArrowDown');
    await panel.box.press('ArrowDown');
    await expect.poll(() => panel.box.inputValue()).toBe('');
    await panel.box.fill('typed');
    await panel.box.press('ArrowUp');
    await expect.poll(() => panel.box.inputValue()).toBe('typed');
  });

  it('keeps its draft over hiding and reloading', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.fill('half a thought');
    await expect.poll(async () => (await panel.posted('ui/changed')).at(-1)?.ui.draft).toBe('half a thought');
    const { ui } = (await panel.posted('ui/changed')).at(-1)!;
    await expect.poll(() => panel.page.evaluate(() => window.harness.getState())).toMatchObject(ui);
    await panel.page.reload();
    await panel.show(threadView(), ui);
    await expect.poll(() => panel.box.inputValue()).toBe('half a thought');
    await panel.box.pressSequentially(' and more');
    // A late snapshot does not take away what was typed since.
    await panel.show(threadView(), ui);
    await expect.poll(() => panel.box.inputValue()).toBe('half a thought and more');
  });

  it('takes a prompt back, before what was typed since', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.send({
      type: 'draft/restore',
      text: 'lost @a.ts',
      mentions: [{ token: '@a.ts', path: '/a.ts', label: 'a.ts' }],
    });
    await expect.poll(() => panel.box.inputValue()).toBe('lost @a.ts');
    await panel.page.getByRole('button', { name: 'Remove a.ts' }).waitFor();
    await panel.send({ type: 'draft/restore', text: 'other', mentions: [] });
    await expect.poll(() => panel.box.inputValue()).toBe('other\nlost @a.ts');
    await panel.page.getByRole('button', { name: 'Remove a.ts' }).waitFor();
  });

  it('gives up a prompt that came back, once the conversation has it again', async () => {
    const panel = await PanelPage.open();
    const others = [userMessage('u', 'Go on'), agentMessage('a', 'Done.')];
    await panel.show(threadView(others));
    await panel.send({ type: 'draft/restore', text: 'Go on', mentions: [], ifEmpty: true });
    await expect.poll(() => panel.box.inputValue()).toBe('Go on');
    await panel.patch({ op: 'entry/add', entry: agentMessage('b', 'News.') });
    expect(await panel.box.inputValue()).toBe('Go on');
    await panel.patch({ op: 'entry/add', entry: userMessage('v', 'Go on') });
    await expect.poll(() => panel.box.inputValue()).toBe('');
    expect(await panel.posted('attachment/removeSent')).toHaveLength(1);
    // What was typed since is the user's.
    await panel.send({ type: 'draft/restore', text: 'Go on', mentions: [], ifEmpty: true });
    await panel.box.pressSequentially('!');
    await panel.patch({ op: 'entry/add', entry: userMessage('w', 'Go on') });
    expect(await panel.box.inputValue()).toBe('Go on!');
  });

  it('gets the focus when the host asks for it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.send({ type: 'focus/set', target: 'composer' });
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
  });

  it('leaves the focus to a user who goes elsewhere before it is drawn, and takes it when they are back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    const hasFocus = () => panel.box.evaluate((e) => e === document.activeElement);
    const tell = (type: 'blur' | 'focus') => panel.page.evaluate((name) => window.dispatchEvent(new Event(name)), type);
    await panel.page.evaluate(() => {
      const data = { type: 'focus/set', target: 'composer' };
      window.dispatchEvent(new MessageEvent('message', { data }));
      window.dispatchEvent(new Event('blur'));
    });
    await panel.patch({ op: 'entry/add', entry: userMessage('u', 'Drawn later') });
    await panel.page.getByText('Drawn later').waitFor();
    expect(await hasFocus()).toBe(false);
    await tell('focus');
    await expect.poll(hasFocus).toBe(true);
  });

  it('names the agent and asks the host to choose another', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { agent: 'Claude Code' }));
    await expect
      .poll(() => panel.box.getAttribute('placeholder'))
      .toBe('Ask Claude Code, @ to add context, / for commands');
    const agent = panel.page.getByRole('button', { name: 'Agent: Claude Code' });
    expect(await agent.locator('.label').innerText()).toBe('Claude Code');
    expect(await agent.locator('.agent-icon').isVisible()).toBe(true);
    await agent.click();
    await expect.poll(() => panel.posted('agent/select')).toHaveLength(1);
  });
});

describe('slash commands', () => {
  it('that the agent has not sent yet are waited for in words, and Enter still sends', async () => {
    const panel = await PanelPage.open({ width: 285 });
    await panel.show(threadView([], { agent: 'Claude Code', connection: { state: 'idle' } }));
    await panel.box.pressSequentially('/');
    const note = panel.page.locator('.completion-note');
    await expect.poll(() => note.innerText()).toBe('Claude Code lists its commands once it has started.');
    await panel.patch({
      op: 'panel/set',
      fields: { connection: { state: 'starting', since: 0, detail: 'Starting' } as never },
    });
    await expect.poll(() => note.innerText()).toContain('Loading commands…');
    await panel.patch({ op: 'panel/set', fields: { connection: { state: 'ready' }, commands } });
    await panel.page.getByRole('option', { name: /review/ }).waitFor();
    await panel.patch({ op: 'panel/set', fields: { commands: [] } });
    await panel.box.pressSequentially('help');
    await expect.poll(() => note.innerText()).toBe('Claude Code has sent no commands yet.');
    await panel.box.press('Enter');
    await expect.poll(async () => (await panel.posted('prompt/submit')).map(({ text }) => text)).toEqual(['/help']);
  });

  it('complete at the start of the text, filtered, with their descriptions', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { commands }));
    await panel.box.pressSequentially('/re');
    const list = panel.page.getByRole('listbox', { name: 'Commands' });
    await expect
      .poll(() => list.getByRole('option').allInnerTexts())
      .toEqual(['/review\nReview the changes', '/rewrite\nRewrite a file']);
    await expect.poll(() => panel.box.getAttribute('aria-activedescendant')).toBe('completion-0');
    await panel.box.press('ArrowDown');
    await expect.poll(() => list.getByRole('option', { selected: true }).innerText()).toContain('/rewrite');
    await panel.box.press('Enter');
    await expect.poll(() => panel.box.inputValue()).toBe('/rewrite ');
    await expect.poll(() => list.count()).toBe(0);
    await expect.poll(() => panel.posted('prompt/submit')).toEqual([]);
  });

  it('show the hint for their input, until it is typed', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { commands }));
    await panel.box.pressSequentially('/te');
    await panel.box.press('Tab');
    await expect.poll(() => panel.page.locator('.ghost').innerText()).toContain('pattern');
    await panel.box.pressSequentially('x');
    await expect.poll(() => panel.page.locator('.ghost').innerText()).toBe('');
  });

  it('that are typed out are sent by one Enter', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { commands }));
    await panel.box.pressSequentially('/review');
    await panel.box.press('Enter');
    expect((await panel.posted('prompt/submit')).map((m) => m.text)).toEqual(['/review']);
  });

  it('do not open again after Escape, until another one is begun', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { commands }));
    await panel.box.pressSequentially('/r');
    await panel.box.press('Escape');
    await panel.box.pressSequentially('e');
    await expect.poll(() => panel.page.getByRole('listbox').count()).toBe(0);
    await panel.box.fill('');
    await panel.box.pressSequentially('/');
    await expect.poll(() => panel.page.getByRole('option').count()).toBe(3);
  });

  it('appear when the agent tells them', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('/');
    await expect.poll(() => panel.page.getByRole('listbox').count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { commands } });
    await expect.poll(() => panel.page.getByRole('option').count()).toBe(3);
  });
});
