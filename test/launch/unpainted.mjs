import { isHeaded } from './chromium.mjs';

/**
 * Leaves pages unpainted: nobody looks at them, and painting took a tenth of the processor's time of VS Code's windows
 * and a fifth of the panel's. Editors that were hidden would take no keys. `painted` shows a page for a picture.
 * @param {import('playwright-core').Page | import('playwright-core').BrowserContext} pages before they are opened
 */
export async function leaveUnpainted(pages) {
  if (isHeaded) return;
  await pages.addInitScript(() => {
    if (window !== window.top) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { opacity: 0 }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** @template T @param {import('playwright-core').Page} page @param {() => Promise<T>} look @returns {Promise<T>} */
export async function painted(page, look) {
  /** @param {boolean} isPainted */
  const paint = (isPainted) =>
    page.evaluate((isOn) => {
      for (const sheet of document.adoptedStyleSheets) sheet.disabled = isOn;
    }, isPainted);
  await paint(true);
  try {
    return await look();
  } finally {
    await paint(false).catch(() => undefined);
  }
}
