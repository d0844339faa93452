import { describe, expect, it } from 'vitest';
import { box, count, isInView, marked, open } from './finding';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, diff, threadView, toolCall, userMessage } from './views.mjs';

/* Find in a panel that is busy: frames and answers of the worker come late. */

useHarness();

declare global {
  interface Window {
    /** Frames or messages that a test holds back. */
    held: (() => void)[];
    release(): void;
  }
}

/** Holds back the frames that the panel requests from now on. */
const holdFrames = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const now = window.requestAnimationFrame;
    window.held = [];
    window.requestAnimationFrame = (draw) => window.held.push(() => void now(draw));
    window.release = () => {
      window.requestAnimationFrame = now;
      for (const go of window.held) go();
    };
  });

/** Holds back the texts that are sent to the worker for the positions of their matches. */
const holdPlaces = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.held = [];
    Worker.prototype.postMessage = function (this: Worker, message: { type: string }) {
      if (message.type === 'places') window.held.push(() => post.call(this, message));
      else post.call(this, message);
    };
    window.release = () => {
      Worker.prototype.postMessage = post;
      for (const go of window.held) go();
    };
  });

const isHolding = (panel: PanelPage) => panel.page.evaluate(() => window.held.length > 0);
const release = (panel: PanelPage) => panel.page.evaluate(() => window.release());

const messages = Array.from({ length: 30 }, (_, i) => agentMessage(`a${i}`, `Answer ${i}.`));
const lines = Array.from({ length: 60 }, (_, i) => `+line ${i}`);
const folded = {
  'a long diff': toolCall('t', {
    toolKind: 'edit',
    content: [diff({ hunks: [{ oldStart: 1, newStart: 1, lines: [...lines, '+treasure map'] }] })],
  }),
  'a call': toolCall('t', { output: `${'log\n'.repeat(60)}the treasure` }),
  'a long prompt': userMessage('t', `${'log\n'.repeat(50)}treasure chest`),
};

describe('find in a busy panel', () => {
  it.each(Object.entries(folded))('waits for the frame that opens %s, and shows the match in it', async (_, entry) => {
    const panel = await PanelPage.open();
    await panel.show(threadView([...messages.slice(0, 20), entry, ...messages.slice(20)]));
    // The worker has all texts, and the entry is drawn.
    await open(panel, 'Answer 1.');
    await expect.poll(() => count(panel)).toBe('1 of 1');
    await panel.frames();
    await holdFrames(panel);
    await box(panel).fill('treasure');
    await expect.poll(() => count(panel)).toBe('1 of 1');
    await expect.poll(() => isHolding(panel)).toBe(true);
    // Whatever waits for a time only goes on now.
    await panel.page.evaluate(() => window.harness.advance(1_000));
    await release(panel);
    await expect.poll(() => isInView(panel)).toBe(true);
  });

  it('marks what the worker finds after the agent has written more', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'A needle.'), agentMessage('b', 'A needle.')]));
    await open(panel, 'needle');
    await expect.poll(() => marked(panel)).toEqual({ current: ['needle'], others: ['needle'] });
    await holdPlaces(panel);
    await panel.patch({ op: 'entry/replace', entry: agentMessage('a', 'A needle and a needle.') });
    await expect.poll(() => isHolding(panel)).toBe(true);
    await expect.poll(() => count(panel)).toBe('1 of 3');
    await release(panel);
    await expect.poll(() => marked(panel)).toEqual({ current: ['needle'], others: ['needle', 'needle'] });
  });
});
