import { describe, expect, it } from 'vitest';
import { labelOfPath } from '../../../src/view/labels';
import { placesOf } from '../../../src/view/places';

describe('the places of a location', () => {
  it.each([
    ['/w/src/a.ts', [{ path: '/w/src/a.ts' }]],
    ['src/b.ts', [{ path: '/w/src/b.ts' }]],
    ['/w/src/a.ts:10-20', [{ path: '/w/src/a.ts', line: 10, endLine: 20 }]],
    ['/w/src/a.ts:30', [{ path: '/w/src/a.ts', line: 30 }]],
    ['/w/src/a.ts:30:4', [{ path: '/w/src/a.ts', line: 30 }]],
    ['/w/src/a.ts#L10-L20', [{ path: '/w/src/a.ts', line: 10, endLine: 20 }]],
    ['/w/src/a.ts:1-5; /w/src/b.ts', [{ path: '/w/src/a.ts', line: 1, endLine: 5 }, { path: '/w/src/b.ts' }]],
    ['/w/a;b.ts', [{ path: '/w/a;b.ts' }]],
    ['/w/src/**/*.ts', [{ path: '/w/src/**/*.ts', isNoFile: true }]],
    ['src/{a,b}.ts', [{ path: '/w/src/{a,b}.ts', isNoFile: true }]],
    ['app/[id]/page.tsx', [{ path: '/w/app/[id]/page.tsx' }]],
    ['\\\\?\\C:\\proj\\foo.c:7', [{ path: 'C:\\proj\\foo.c', line: 7, isNoFile: true }]],
    ['C:\\proj\\foo.c:1-220', [{ path: 'C:\\proj\\foo.c', line: 1, endLine: 220, isNoFile: true }]],
    ['/w/src/a.ts, /w/src/b.ts:3', [{ path: '/w/src/a.ts' }, { path: '/w/src/b.ts', line: 3 }]],
    ['/w/src/a.ts\n/w/src/b.ts', [{ path: '/w/src/a.ts' }, { path: '/w/src/b.ts' }]],
    ['/w/Smith, John.md', [{ path: '/w/Smith, John.md' }]],
    ['"/w/my file.ts"', [{ path: '/w/my file.ts' }]],
    ['src/a.ts (lines 3-9)', [{ path: '/w/src/a.ts', line: 3, endLine: 9 }]],
    ['src/a.ts line 3', [{ path: '/w/src/a.ts', line: 3 }]],
    ['src/a.ts:L3-L9', [{ path: '/w/src/a.ts', line: 3, endLine: 9 }]],
    ['src/a.ts:3–9', [{ path: '/w/src/a.ts', line: 3, endLine: 9 }]],
    ['https://example.com/a.ts', [{ path: '/w/https://example.com/a.ts', isNoFile: true }]],
    ['file:///w/my%20file.ts#L3', [{ path: '/w/my file.ts', line: 3 }]],
    ['file:///w/a.ts#L10-L20', [{ path: '/w/a.ts', line: 10, endLine: 20 }]],
    ['file:/w/a.ts:3', [{ path: '/w/a.ts', line: 3 }]],
    ['vscode://file/w/my%20a.ts:12:3', [{ path: '/w/my a.ts', line: 12 }]],
    ['vscode://settings/a', [{ path: '/w/vscode://settings/a', isNoFile: true }]],
    ['/w/a.ts(12,3)', [{ path: '/w/a.ts', line: 12 }]],
    ['a.ts (12:3)', [{ path: '/w/a.ts', line: 12 }]],
    ['/w/copy (2)', [{ path: '/w/copy (2)' }]],
    ['/w/a.ts [1-20]', [{ path: '/w/a.ts', line: 1, endLine: 20 }]],
    ['/w/a.ts#L5C3-L9C1', [{ path: '/w/a.ts', line: 5, endLine: 9 }]],
    ['/w/a.ts:10..20', [{ path: '/w/a.ts', line: 10, endLine: 20 }]],
    ['/w/a.ts line: 3', [{ path: '/w/a.ts', line: 3 }]],
    ['/w/a.ts:', [{ path: '/w/a.ts' }]],
    ['~/notes.md:3', [{ path: '~/notes.md', line: 3 }]],
    ['./a.ts', [{ path: '/w/a.ts' }]],
  ])('%s', (path, places) => expect(placesOf({ path }, '/w')).toEqual(places));

  it('has the line that the agent tells besides', () =>
    expect(placesOf({ path: '/w/a.ts:3-9', line: 5 }, '/w')).toEqual([{ path: '/w/a.ts', line: 5 }]));
  it('is of Windows in a session there', () => {
    for (const path of ['C:\\p\\a.c:7', 'file:///C%3A/p/a.c#L7', '\\\\?\\C:\\p\\a.c:7'])
      expect(placesOf({ path }, 'C:\\p')[0]!.path.replaceAll('/', '\\')).toBe('C:\\p\\a.c');
    expect(labelOfPath('\\\\?\\C:\\P\\sub\\a.c', 'c:\\p')).toBe('sub/a.c');
  });
});
