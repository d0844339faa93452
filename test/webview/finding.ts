import type { PanelPage } from './panelPage';

/** Find over the conversation, as the user sees and drives it. */
export const find = (panel: PanelPage) => panel.page.getByRole('search', { name: 'Find in the conversation' });
export const box = (panel: PanelPage) => find(panel).getByRole('textbox', { name: 'Find' });
export const count = (panel: PanelPage) => find(panel).getByRole('status').innerText();
/** What is marked as the current match, and how many others are. */
export const marked = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const texts = (name: string) => [...(CSS.highlights.get(name) ?? [])].map((range) => (range as Range).toString());
    return { current: texts('parley-find-current'), others: texts('parley-find') };
  });
/** True if the current match is neither scrolled away nor cut off. */
export const isInView = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('parley-find-current') ?? [])] as Range[];
    const view = document.querySelector('.thread')!.getBoundingClientRect();
    const match = range?.getBoundingClientRect();
    const isShown =
      match !== undefined &&
      document
        .elementsFromPoint(match.left + 1, (match.top + match.bottom) / 2)
        .some(
          (element) =>
            element.contains(range!.startContainer) && element !== document.body && element.closest('[data-entry]'),
        );
    return isShown && match.height > 0 && match.top >= view.top && match.bottom <= view.bottom;
  });

/** Opens Find by its key, and types a text into it. */
export async function open(panel: PanelPage, text: string): Promise<void> {
  await panel.thread.focus();
  await panel.page.keyboard.press('Control+f');
  await box(panel).fill(text);
}
