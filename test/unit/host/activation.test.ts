import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/host/platform/clock';

/**
 * Stands for all of an API: whatever is read, called or made of it is itself again. It holds no items, and each setting
 * is as it was.
 */
const anything: unknown = vi.hoisted(() => {
  const known: Readonly<Record<PropertyKey, unknown>> = {
    length: 0,
    fsPath: '/',
    path: '/',
    appRoot: '/',
    get: (_: string, fallback?: unknown) => fallback,
    [Symbol.toPrimitive]: () => '',
    [Symbol.iterator]: () => [][Symbol.iterator](),
  };
  const all: unknown = new Proxy(function () {}, {
    get: (_, name) => (name === 'then' ? undefined : name in known ? known[name] : all),
    has: () => true,
    set: () => true,
    apply: () => all,
    construct: () => all as object,
    getPrototypeOf: () => null,
  });
  return all;
});
vi.mock('vscode', () => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : anything), has: () => true }));

const folder = mkdtempSync(join(tmpdir(), 'parley-activation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the real VS Code shows only in minutes: services that ask each other before all of them are built. */
it('the extension is built in an order in which nothing asks for what is not there yet', async () => {
  const { openWindow } = await import('../../../src/host/composition/window');
  const uri = { fsPath: folder, path: folder, scheme: 'file' };
  const memento = { get: (_: string, fallback?: unknown) => fallback, update: async () => undefined, keys: () => [] };
  const subscriptions: { dispose(): unknown }[] = [];
  const context = {
    subscriptions,
    extensionUri: uri,
    globalStorageUri: uri,
    storageUri: uri,
    logUri: uri,
    extensionPath: folder,
    globalState: { ...memento, setKeysForSync: () => undefined },
    workspaceState: memento,
    secrets: anything,
    extension: anything,
    asAbsolutePath: (name: string) => join(folder, name),
  };
  expect(() =>
    openWindow(context as never, anything as never, folder, { folder, id: 'w', clock: systemClock }),
  ).not.toThrow();
  expect(subscriptions.length).toBeGreaterThan(10);
  for (const item of subscriptions.reverse()) item.dispose();
  // Some of it is loaded when it is first needed.
  await vi.dynamicImportSettled();
});
