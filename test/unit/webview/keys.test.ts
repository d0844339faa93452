import { expect, it, vi } from 'vitest';

// The module asks at once which system it is on.
vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' });
const { holdsOnlyAlt } = await import('../../../webview/lib/mac');
vi.unstubAllGlobals();

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

it.each<[keys: Partial<typeof none>, onMac: boolean, elsewhere: boolean]>([
  [{ altKey: true }, false, true],
  [{ altKey: true, metaKey: true }, true, false],
  [{ altKey: true, ctrlKey: true }, false, false],
  [{ altKey: true, shiftKey: true }, false, false],
  [{ metaKey: true }, false, false],
  [{}, false, false],
])('%j is Alt alone on a Mac: %s, elsewhere: %s', (keys, onMac, elsewhere) => {
  expect([holdsOnlyAlt({ ...none, ...keys }, true), holdsOnlyAlt({ ...none, ...keys }, false)]).toEqual([
    onMac,
    elsewhere,
  ]);
});
