import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { notebookTools } from '../../../../src/host/editor/notebookTools';
import { ToolDesk } from '../../../fakes/toolDesk';

const world = vi.hoisted(() => ({ open: [] as { uri: { fsPath: string }; isDirty: boolean }[] }));
vi.mock('vscode', () => ({
  workspace: {
    get notebookDocuments() {
      return world.open;
    },
  },
}));

const code = (source: unknown, outputs: unknown[] = []) => ({
  cell_type: 'code',
  execution_count: null,
  metadata: {},
  outputs,
  source,
});
const book = (cells: unknown, minor = 2) =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: 'julia' } }, nbformat: 4, nbformat_minor: minor }, undefined, 1)}\n`;

let desk: ToolDesk;
let text: string;
let written: string[];
beforeEach(() => {
  desk = new ToolDesk();
  written = [];
  world.open = [];
});
afterEach(() => desk.dispose());

const call = (tool: string, args: object) =>
  notebookTools[tool]!(
    { path: 'b.ipynb', ...args } as never,
    desk.session({
      files: {
        readTextFile: async () => ({ content: text }),
        writeTextFile: async ({ content }) => {
          written.push(content);
        },
      },
    }),
    neverCancelled,
  );
const cellsOf = () => (JSON.parse(written[0]!) as { cells: Record<string, unknown>[] }).cells;

describe('notebook', () => {
  it('reads cells with short outputs', async () => {
    text = book([
      { cell_type: 'markdown', metadata: {}, source: ['# Title\n', 'text'] },
      code('x', [
        { output_type: 'stream', text: ['a\n', 'b'] },
        { output_type: 'display_data', data: { 'image/png': 'AAAA' } },
        { output_type: 'error', ename: 'E', evalue: 'bad' },
      ]),
    ]);
    expect(await call('notebook', {})).toBe(
      'b.ipynb: 2 cells\n[0] markdown\n# Title\ntext\n[1] code julia\nx\noutput: a\nb\n(image/png)\nE: bad',
    );
  });

  it('bounds 10 MB of output, and pages', async () => {
    text = book([code('x', [{ output_type: 'stream', text: 'y'.repeat(10_000_000) }]), code('z')]);
    const answer = await call('notebook', { limit: 1 });
    expect(answer.length).toBeLessThan(2_000);
    expect(answer).toContain('… 1 more: cursor "1"');
  });
});

describe('edit_notebook', () => {
  it('changes only the lines of the cell', async () => {
    text = book([code(['a\n', 'b']), code('keep')]);
    expect(await call('edit_notebook', { index: 0, source: 'c\nd' })).toBe(
      'Cell 0 of b.ipynb was replaced. It has 2 cells now.',
    );
    expect(written).toEqual([book([code(['c\n', 'd']), code('keep')])]);
  });

  it('inserts with an id where the format has one, and deletes', async () => {
    text = book([code('a')], 5);
    await call('edit_notebook', { action: 'insert', index: 1, source: '# T', kind: 'markdown' });
    expect(cellsOf()[1]).toEqual({
      cell_type: 'markdown',
      id: expect.stringMatching(/^[\w-]{8}$/),
      metadata: {},
      source: ['# T'],
    });
    written = [];
    await call('edit_notebook', { action: 'delete', index: 0 });
    expect(cellsOf()).toEqual([]);
  });

  it.each([null, '', undefined])('keeps the kind of a cell if the agent says %o', async (kind) => {
    text = book([{ cell_type: 'markdown', metadata: {}, source: ['a'] }]);
    await call('edit_notebook', { index: '0', source: 'b', kind });
    expect(cellsOf()).toEqual([{ cell_type: 'markdown', metadata: {}, source: ['b'] }]);
  });

  it.each([
    ['replace', { index: 0, source: 'c' }],
    ['insert', { index: 0, source: 'c' }],
    ['insert', { index: 1, source: 'c' }],
    ['insert', { index: 2, source: 'c' }],
    ['delete', { index: 0 }],
  ])('%s %o leaves every other byte as it is', async (action, args) => {
    const data = '{ "n": 12345678901234567890, "f": 1.0, "e": 1e400, "é": "\\u00e9" }';
    const output = { output_type: 'display_data', data: 'DATA', metadata: {} };
    text = book([code('a'), code('keep', [output])]).replace('"DATA"', data);
    await call('edit_notebook', { action, ...args });
    expect(written[0]).toContain(data);
    // The rest is as if the notebook had been made like that.
    const cells = [code('a'), code('keep', [output])] as object[];
    const made = { ...code(action === 'replace' ? 'c' : ['c']) };
    cells.splice(args.index, action === 'insert' ? 0 : 1, ...(action === 'delete' ? [] : [made]));
    expect(written[0]).toBe(book(cells).replace('"DATA"', data));
  });

  it.each(['replace', 'insert', 'delete'])('%s: the outputs of the cell itself stay, too', async (action) => {
    text = book([code('a', [{ data: 'DATA' }])]).replace('"DATA"', '1.0');
    await call('edit_notebook', { action, index: 0, source: 'b' });
    expect(written[0]!.includes('1.0')).toBe(action !== 'delete');
  });

  it.each([
    ['on one line', (cells: unknown[]) => JSON.stringify({ cells, nbformat: 4 })],
    ['with tabs', (cells: unknown[]) => `${JSON.stringify({ cells, nbformat: 4 }, undefined, '\t')}\n`],
    ['as Jupyter writes it', (cells: unknown[]) => `${JSON.stringify({ cells, nbformat: 4 }, undefined, 1)}\n`],
  ])('is written as the file is: %s', async (_, made) => {
    const cell = (source: string) => code([source]);
    const edits: readonly (readonly [string[], object, string[]])[] = [
      [['a'], { index: 0, source: 'c' }, ['c']],
      [['a', 'b'], { action: 'insert', index: 1, source: 'c' }, ['a', 'c', 'b']],
      [['a'], { action: 'insert', index: 1, source: 'c' }, ['a', 'c']],
      [[], { action: 'insert', index: 0, source: 'c' }, ['c']],
      [['a', 'b'], { action: 'delete', index: 0 }, ['b']],
      [['a', 'b'], { action: 'delete', index: 1 }, ['a']],
      [['a'], { action: 'delete', index: 0 }, []],
    ];
    for (const [before, args, after] of edits) {
      written = [];
      text = made(before.map(cell));
      await call('edit_notebook', args);
      const inOrder = (source: string) =>
        before.includes(source)
          ? cell(source)
          : 'action' in args
            ? { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] }
            : cell(source);
      expect(written).toEqual([made(after.map(inOrder))]);
    }
  });

  it.each([
    ['a cell that is not there', book([code('a')]), { index: 1, source: 'x' }, 'index must be from 0 to 0'],
    ['an empty notebook', book([]), { index: 0, source: 'x' }, 'Use insert with index 0'],
    ['a wrong type', book([code('a')]), { index: 0, source: 7 }, 'source must be a string'],
    ['a wrong action', book([code('a')]), { index: 0, action: 'run' }, 'action must be one of'],
    ['no JSON', 'oops', { index: 0, source: 'x' }, 'no valid JSON'],
    ['another format', '{"worksheets":[]}', { index: 0, source: 'x' }, 'has no cells of format 4'],
    ['another file', '', { path: 'a.py', index: 0 }, 'is no Jupyter notebook'],
    ['a file outside', '', { path: '/etc/x.ipynb', index: 0 }, 'outside'],
  ])('refuses %s', async (_, content, args, message) => {
    text = content;
    await expect(call('edit_notebook', args)).rejects.toThrow(message);
    expect(written).toEqual([]);
  });

  it('does not overwrite unsaved cells', async () => {
    text = book([code('a')]);
    world.open = [{ uri: { fsPath: path.join(desk.folder, 'b.ipynb') }, isDirty: true }];
    await expect(call('edit_notebook', { index: 0, source: 'x' })).rejects.toThrow('unsaved changes');
    expect(written).toEqual([]);
  });
});
