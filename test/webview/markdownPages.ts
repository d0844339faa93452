import { readFileSync } from 'node:fs';
import type { PanelPage } from './panelPage';

/** A text of `fixtures/markdown`. */
export const read = (name: string) => readFileSync(new URL(`../fixtures/markdown/${name}.md`, import.meta.url), 'utf8');

/** Waits until every page of the message is rich and coloured, and gives its HTML. */
export async function finalHtml(panel: PanelPage): Promise<string> {
  await panel.page.waitForFunction(() => {
    // What colours code is loaded with the first block that names its language; until then such blocks are plain.
    const waitsForColours =
      document.querySelector('.markdown .code-block:not(.nameless)') &&
      !performance.getEntriesByType('resource').some(({ name }) => name.includes('/highlighter-'));
    return !waitsForColours && !document.querySelector('.md-page.plain, .math.waiting');
  });
  const html = await panel.page.locator('.markdown').evaluate(async (element) => {
    let frame = 0;
    let changedAt = 0;
    const changes = new MutationObserver(() => (changedAt = frame));
    changes.observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
    for (; frame - changedAt < 30; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    changes.disconnect();
    return element.innerHTML;
  });
  // The height of what is not laid out is guessed from the panel's width, which may be known only after the first page.
  return html.replace(/<!--.*?-->| style="contain-intrinsic-block-size[^"]*"/g, '');
}
