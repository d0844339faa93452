import { expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const unsaved = {
  title: 'This conversation is not being saved: the disk is full.',
  detail:
    'Parley keeps it in memory until this window closes, and tries again to save it. Make room on the disk of /home/user/.config.',
};

it.each([165, 600])(
  'what is not being saved stays in view with what to do, as long as it lasts, in a panel of %s px',
  async (width) => {
    const panel = await PanelPage.open({ width });
    await panel.show(threadView([agentMessage('a', 'Hello')]));
    const strip = panel.page.getByRole('group', { name: unsaved.title });
    expect(await strip.count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { unsaved } });
    await strip.getByText(unsaved.detail).waitFor();
    await expect
      .poll(() => panel.page.getByRole('status').allInnerTexts())
      .toContain(`${unsaved.title} ${unsaved.detail}`);
    // Nothing of it is cut off.
    const sees = await strip
      .locator('.label, .notice-text, button')
      .evaluateAll((all) =>
        all.map((e) => e.scrollWidth <= e.clientWidth + 1 && e.getBoundingClientRect().right <= window.innerWidth),
      );
    expect(sees).toEqual([true, true, true]);
    await strip.getByRole('button', { name: 'Try Again' }).click();
    expect(await panel.nextPosted('storage/retry')).toEqual({ type: 'storage/retry' });
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['unsaved'] });
    await expect.poll(() => strip.count()).toBe(0);
  },
);
