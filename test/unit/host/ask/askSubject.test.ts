import { describe, expect, it } from 'vitest';
import { askSubject } from '../../../../src/host/ask/askSubject';

const uri = (path: string) => ({ scheme: 'file', path, toString: () => `file://${path}` });
const a = uri('/w/a.ts');
const b = uri('/w/b.ts');
const editor = (isEmpty: boolean) =>
  ({ document: { uri: a }, selections: [{ isEmpty }] }) as unknown as Parameters<typeof askSubject>[1];
const diagnostic = { message: 'no' };

/* What VS Code hands to the commands of its menus, as seen in VS Code 1.139. */
describe('what the user asks about', () => {
  it.each<[string, readonly unknown[], Parameters<typeof askSubject>[1], unknown]>([
    [
      'a quick fix',
      [{ uri: a, diagnostics: [diagnostic] }],
      undefined,
      { kind: 'problems', uri: a, diagnostics: [diagnostic] },
    ],
    ['a quick fix of nothing', [{ uri: a, diagnostics: [] }], undefined, undefined],
    ['a key', [], editor(true), { kind: 'selection', document: { uri: a }, selections: [{ isEmpty: true }] }],
    ['a key without an editor', [], undefined, undefined],
    [
      'selected text in an editor',
      [a, { groupId: 0 }],
      editor(false),
      { kind: 'selection', document: { uri: a }, selections: [{ isEmpty: false }] },
    ],
    ['an editor without a selection', [a, { groupId: 0 }], editor(true), { kind: 'files', uris: [a] }],
    ['files in the Explorer', [a, [a, b]], editor(false), { kind: 'files', uris: [a, b] }],
    ['a file of another editor', [b], editor(false), { kind: 'files', uris: [b] }],
    [
      'files in Source Control',
      [{ resourceUri: a }, { resourceUri: b }, { resourceUri: a }],
      undefined,
      { kind: 'files', uris: [a, b] },
    ],
    [
      'a group in Source Control',
      [{ id: 'workingTree', label: 'Changes', resourceStates: [{ resourceUri: b }] }],
      undefined,
      { kind: 'files', uris: [b] },
    ],
    [
      'a test',
      [{ id: 't', label: 'adds', uri: a, range: { start: { line: 4 } } }],
      undefined,
      { kind: 'test', label: 'adds', uri: a, line: 5 },
    ],
    [
      'the message of a test',
      [
        {
          test: { id: 't', label: 'adds', uri: a },
          message: { message: { value: 'no' }, expectedOutput: '1', actualOutput: '2' },
        },
      ],
      undefined,
      { kind: 'test', label: 'adds', uri: a, failure: { text: 'no', expected: '1', actual: '2' } },
    ],
    ['a thread', [1, { sessionId: 's', threadId: 1 }], undefined, { kind: 'stack', sessionId: 's', threadId: 1 }],
    [
      'a frame',
      ['file:///w/a.ts', { sessionId: 's', threadId: 'thread:s:7', frameId: 'frame:x' }],
      undefined,
      { kind: 'stack', sessionId: 's', threadId: 7 },
    ],
    ['a text alone', ['a'], editor(false), undefined],
    [
      'a variable',
      [{ sessionId: 's', container: {}, variable: { name: 'n', value: '1', type: 'number' } }],
      undefined,
      { kind: 'variable', name: 'n', value: '1', type: 'number' },
    ],
    ['something unknown', [{ size: 3 }], editor(false), undefined],
    ['a number', [3], editor(false), undefined],
  ])('%s', (_, args, active, subject) => {
    expect(askSubject(args, active, undefined)).toEqual(subject);
  });

  it('the terminal and the debug console are known by their commands', () => {
    expect(askSubject([{ name: 'bash' }], editor(false), 'terminal')).toEqual({ kind: 'terminal' });
    expect(askSubject([], editor(false), 'debugConsole')).toEqual({ kind: 'debugConsole' });
  });
});
