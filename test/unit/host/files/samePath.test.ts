import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { documentAt, openDocument, samePath } from '../../../../src/host/files/documentEdits';
import { pathKey } from '../../../../src/host/files/pathPolicy';
import { refuseElsewhere } from '../../../../src/host/files/saveInto';
import { LinkedPathError } from '../../../../src/node/openWithoutLinks';

const editor = vi.hoisted(() => ({ documents: [] as unknown[] }));
vi.mock('vscode', () => ({
  workspace: {
    get textDocuments() {
      return editor.documents;
    },
  },
}));

const system = process.platform;
const runOn = (platform: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value: platform });
afterEach(() => runOn(system));

const document = (fsPath: string) => ({ uri: { scheme: 'file', fsPath }, isClosed: false }) as never;

it.each<[NodeJS.Platform, isSameCase: boolean, isSameAccent: boolean]>([
  ['linux', false, false],
  ['win32', true, false],
  ['darwin', true, true],
])('paths are compared as the file system does: %s', (platform, isSameCase, isSameAccent) => {
  expect(samePath('/w/Src/A.ts', '/w/src/a.ts', platform)).toBe(isSameCase);
  expect(samePath('/w/\u00e9.ts', '/w/e\u0301.ts', platform)).toBe(isSameAccent);
  expect(samePath('/w/a.ts', '/w/b.ts', platform)).toBe(false);
  expect(pathKey('/w/Src/A.ts', platform) === pathKey('/w/src/a.ts', platform)).toBe(isSameCase);
});

it.each<[NodeJS.Platform, isFound: boolean]>([
  ['linux', false],
  ['darwin', true],
])('the document of a file is found in another spelling where that is the same file: %s', async (platform, isFound) => {
  runOn(platform);
  editor.documents = [document('/w/src/A.ts')];
  expect(openDocument('/w/src/a.ts') !== undefined).toBe(isFound);
  expect((await documentAt('/w/src/a.ts', '/w/src/a.ts')) !== undefined).toBe(isFound);
});

it.runIf(system === 'linux')('nothing is saved into another file of a volume where case counts', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-case-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [upper, lower] = [join(folder, 'A.ts'), join(folder, 'a.ts')];
  for (const path of [upper, lower]) writeFileSync(path, path);
  runOn('darwin');
  await expect(refuseElsewhere(document(upper), lower)).rejects.toThrow(LinkedPathError);
  await refuseElsewhere(document(lower), lower);
});
