import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { diff, threadView, toolCall } from './views.mjs';

useHarness();

describe('a call that a rule answered', () => {
  it('says which rule it was, and offers to switch it off, by key too', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('a', {
          title: 'npm test',
          toolKind: 'execute',
          status: 'completed',
          decision: 'Allow once',
          decidedBy: 'Allowed by your rule “npm test *”',
        }),
        toolCall('b', {
          title: 'Edit',
          toolKind: 'edit',
          status: 'rejected',
          content: [diff()],
          decision: 'Reject',
          decidedBy:
            'Rejected by your rules “<b>never</b>” and “edits in a folder with a very long name that needs two lines”',
        }),
      ]),
    );
    const line = panel.page.locator('.rule-line').first();
    await expect.poll(() => line.innerText()).toContain('Allowed by your rule “npm test *”');
    // The head does not say it a second time.
    await expect.poll(() => panel.page.locator('.decision').count()).toBe(0);
    await expect.poll(() => panel.page.locator('.rule-line').nth(1).innerText()).toContain('“<b>never</b>”');
    if (process.env['PARLEY_PICTURES']) {
      await panel.page.setViewportSize({ width: 300, height: 420 });
      await panel.screenshot(`${process.env['PARLEY_PICTURES']}/rules-300.png`);
      await panel.page.setViewportSize({ width: 600, height: 420 });
      await panel.screenshot(`${process.env['PARLEY_PICTURES']}/rules-600.png`);
    }
    await line.getByRole('button', { name: 'Disable rule' }).focus();
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(() => panel.posted('permission/disableRule'))
      .toEqual([{ type: 'permission/disableRule', entryId: 'a' }]);
  });
});
