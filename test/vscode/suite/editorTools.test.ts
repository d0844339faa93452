import * as assert from 'node:assert/strict';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { listedTools } from '../../../src/host/editor/callTool';
import type { ToolSession } from '../../../src/host/editor/toolSession';
import { systemClock } from '../../../src/host/platform/clock';
import { ProblemWatch } from '../../../src/host/review/problemWatch';
import { Desk, sessionId } from './desk';
import { answerOf, patientClock, toolCaller } from './toolCalls';

/*
 * The editor's tools with the TypeScript server that comes with VS Code. The first call waits for it to start.
 */

const shapes = `export interface Shape {
  area(): number;
}

/** A circle. */
export class Circle implements Shape {
  constructor(readonly radius: number) {}
  area(): number {
    return square(this.radius) * 3;
  }
}

export class Square implements Shape {
  constructor(readonly side: number) {}
  area(): number {
    return square(this.side);
  }
}

export function square(value: number): number {
  return value * value;
}
`;
const main = `import { Circle, square } from './shapes';

const circle = new Circle(2);
console.log(circle.area(), square(3));
`;

const noEvent = () => ({ dispose: () => undefined });
/** No turn ends here. */
const noSessions = { find: () => undefined, submit: async () => undefined };
/** Nothing runs here. */
const noTerminals = {} as ToolSession['terminals'];

describe('tools of the editor', () => {
  let desk: Desk;
  let asked: string[];
  let watch: ProblemWatch;
  beforeEach(() => {
    desk = new Desk();
    asked = [];
    watch = new ProblemWatch({
      sessions: { onDidEndTurn: noEvent, onDidClose: noEvent, turnOf: () => desk.turn, ...noSessions },
      review: desk.shownReview,
      clock: systemClock,
      mode: () => 'off',
      isAskedBy: () => true,
    });
    desk.put('tsconfig.json', '{ "compilerOptions": { "strict": true }, "include": ["*.ts"] }');
    desk.put('shapes.ts', shapes);
    desk.put('main.ts', main);
  });
  afterEach(() => {
    watch.dispose();
    return desk.clear();
  });

  function session(): ToolSession {
    return {
      scope: { sessionId, agent: 'Desk', cwd: desk.folder, roots: [desk.folder] },
      files: desk.files,
      clock: patientClock,
      terminals: noTerminals,
      pending: async () => [],
      turnProblems: () => watch.turn(sessionId),
      noteLook: (looked) => watch.noteLook(sessionId, looked),
      remark: async () => false,
      ask: async ({ title }) => {
        asked.push(title);
        return true;
      },
    };
  }

  const call = toolCaller(session);

  it('work in a worktree outside of the workspace, and not on the folder that the user sees', async () => {
    const { outside } = desk;
    for (const name of ['tsconfig.json', 'shapes.ts']) copyFileSync(desk.path(name), join(outside, name));
    writeFileSync(join(outside, 'main.ts'), `${main}const wrong: string = 1;\n`);
    const scope = { sessionId, agent: 'Desk', cwd: outside, roots: [outside] };
    const callThere = toolCaller(() => ({ ...session(), scope }));
    assert.match(
      await callThere('references', { symbol: 'square', path: 'shapes.ts' }),
      /^4 references of square in 2 files\nmain\.ts\n[^]*\nshapes\.ts\n/,
    );
    assert.match(await callThere('diagnostics', { path: 'main.ts' }), /^1 error in main\.ts[^]*TS2322/);
    assert.equal(await call('diagnostics', { path: 'main.ts' }), 'No errors or warnings in main.ts.');
    assert.match(
      await callThere('references', { symbol: 'square', path: desk.path('shapes.ts') }, true),
      /outside the session’s folders/,
    );
  });

  it('finds references, definitions, implementations and callers by name', async () => {
    assert.equal(
      await call('references', { symbol: 'square', path: 'shapes.ts' }),
      [
        '4 references of square in 2 files',
        'main.ts',
        "  1: import { Circle, square } from './shapes';",
        '  4: console.log(circle.area(), square(3));',
        'shapes.ts',
        '  9: return square(this.radius) * 3;',
        '  16: return square(this.side);',
      ].join('\n'),
    );
    assert.equal(
      await call('definition', { path: 'main.ts', line: 3, symbol: 'Circle' }),
      '2 definitions of Circle in 1 file\nshapes.ts\n  6: export class Circle implements Shape {\n' +
        '  7: constructor(readonly radius: number) {}',
    );
    assert.equal(
      await call('implementations', { symbol: 'Shape/area', path: 'shapes.ts' }),
      '2 implementations of area in 1 file\nshapes.ts\n  8: area(): number {\n  15: area(): number {',
    );
    assert.equal(
      await call('call_hierarchy', { symbol: 'square', path: 'shapes.ts' }),
      '3 callers of square in 2 files'.replace(' in 2 files', '') +
        '\nmain.ts\n  4: main.ts\nshapes.ts\n  9: area\n  16: area',
    );
    assert.match(await call('hover', { symbol: 'Circle', path: 'shapes.ts' }), /class Circle[^]*A circle\./);
  });

  it('finds symbols of the workspace, also by name alone, and reads one', async () => {
    assert.match(await call('workspace_symbols', { query: 'Circle' }), /shapes\.ts\n {2}6: class Circle/);
    assert.equal(
      await call('read_symbol', { symbol: 'Circle/area' }),
      'shapes.ts:8-10\n  area(): number {\n    return square(this.radius) * 3;\n  }',
    );
    assert.match(
      await call('document_symbols', { path: 'shapes.ts' }),
      /^\d+ symbols in shapes\.ts\n1-3 interface Shape\n {2}2 method area\n/,
    );
  });

  it('gives an outline without what is local to a function, and with the names of tests', async () => {
    desk.put(
      'outline.ts',
      [
        'const limit = 3;',
        'declare function describe(name: string, body: () => void): void;',
        "describe('all', () => {",
        '  const shared = 1;',
        "  describe('one', () => {",
        '    const own = [shared].map((value) => { const next = value; return next; });',
        '    void own;',
        '  });',
        '});',
        'export function outer(): number {',
        '  const local = [1].filter((value) => value > limit);',
        '  function inner() { return local; }',
        '  return inner().length;',
        '}',
      ].join('\n'),
    );
    assert.equal(
      await call('document_symbols', { path: 'outline.ts' }),
      [
        '5 symbols in outline.ts',
        '1 variable limit',
        '2 function describe',
        "3-9 function describe('all') callback",
        "  5-8 function describe('one') callback",
        '10-14 function outer',
      ].join('\n'),
    );
  });

  it('says what to do about a name that is not there or not unique', async () => {
    assert.match(
      await call('references', { symbol: 'area', path: 'shapes.ts' }, true),
      /3 symbols area. Add line: 2, 8, 15/,
    );
    assert.match(
      await call('references', { symbol: 'nothing', path: 'shapes.ts' }, true),
      /no symbol nothing. It has: Shape/,
    );
    assert.match(await call('definition', { path: 'main.ts', line: 99 }, true), /main\.ts has 5 lines/);
    assert.match(await call('hover', {}, true), /Name a symbol/);
    assert.match(await call('hover', { path: 'none.ts', line: 1 }, true), /none\.ts does not exist/);
    assert.match(await call('nothing', {}, true), /There is no tool nothing/);
  });

  it('finds uses and implementations in other projects of the workspace', async () => {
    const project = (more: object) => JSON.stringify({ compilerOptions: { composite: true, strict: true }, ...more });
    desk.put('tsconfig.json', '{ "files": [], "references": [{ "path": "./core" }, { "path": "./app" }] }');
    desk.put('core/tsconfig.json', project({ include: ['*.ts'] }));
    desk.put('app/tsconfig.json', project({ include: ['*.ts'], references: [{ path: '../core' }] }));
    desk.put(
      'core/port.ts',
      'export interface Port {\n  open(): void;\n}\nexport class Own implements Port {\n  open() {}\n}\n',
    );
    desk.put(
      'app/far.ts',
      "import type { Port } from '../core/port';\nexport class Far implements Port {\n  open() {}\n}\n",
    );
    assert.match(
      await call('references', { symbol: 'Port', path: 'core/port.ts' }),
      /^3 references of Port in 2 files\napp\/far\.ts\n {2}1: import[^]*\n {2}2: [^]*core\/port\.ts\n {2}4: /,
    );
    assert.equal(
      await call('implementations', { symbol: 'Port', path: 'core/port.ts' }),
      [
        '2 implementations of Port in 2 files',
        'app/far.ts',
        '  2: export class Far implements Port {',
        'core/port.ts',
        '  4: export class Own implements Port {',
      ].join('\n'),
    );
  });

  it('sees unsaved text', async () => {
    await desk.type(await desk.open('main.ts'), 0, 'square(9);\n');
    assert.match(
      await call('references', { symbol: 'square', path: 'shapes.ts' }),
      /5 references[^]*\n {2}1: square\(9\);/,
    );
  });

  it('tells problems once the server has seen the last edit', async () => {
    assert.equal(await call('diagnostics', { path: 'main.ts' }), 'No errors or warnings in main.ts.');
    await desk.write('main.ts', main.replace('square(3)', "square('3')"));
    assert.match(
      await call('diagnostics', { path: 'main.ts' }),
      /^1 error in main\.ts\nmain\.ts\n {2}4: error TS2345: Argument of type/,
    );
  });

  it('tells problems of the whole folder, also of files that are not open', async () => {
    assert.equal(await call('diagnostics', {}), 'No errors or warnings in the workspace.');
    desk.put('far.ts', "import { Circle } from './shapes';\nnew Circle();\n");
    assert.match(await call('diagnostics', { path: 'far.ts' }), /^1 error in far\.ts/);
    assert.match(
      await call('diagnostics', { severity: 'error' }),
      /^1 error in the workspace\nfar\.ts\n {2}2: error TS2554/,
    );
  });

  it('tells the errors that the edits of the turn added or removed, also in files that are not open', async () => {
    assert.match(await call('diagnostics', { since: 'edit' }, true), /is not known\. Call it without since\./);
    desk.put('old.ts', "export const old: number = 'x';\n");
    desk.put('gone.ts', "export const gone: number = 'x';\n");
    desk.put('far.ts', "import { square } from './shapes';\nsquare(1);\n");
    watch.begin({ id: sessionId, roots: [desk.folder] });
    assert.match(await call('diagnostics', {}), /^2 errors in the workspace/);
    assert.equal(await call('diagnostics', { since: 'edit' }), 'No edit of yours in this turn is known.');
    await desk.write('old.ts', "\n\nexport const old: number = 'x';\n");
    assert.equal(await call('diagnostics', { since: 'edit' }), 'Your edits of this turn added and removed no errors.');
    await desk.write('gone.ts', 'export const gone: number = 1;\n');
    await desk.write('shapes.ts', shapes.replace('square(value: number)', 'square(value: number, more: number)'));
    assert.deepEqual((await call('diagnostics', { since: 'edit' })).replaceAll(/(TS\d+): .*/g, '$1').split('\n'), [
      'Your edits of this turn: 4 new errors, 1 gone',
      'far.ts',
      '  2: new error TS2554',
      'main.ts',
      '  4: new error TS2554',
      'shapes.ts',
      '  9: new error TS2554',
      '  16: new error TS2554',
      'gone.ts',
      '  1: gone error TS2322',
    ]);
    assert.match(
      await call('diagnostics', { since: 'edit', path: 'far.ts' }),
      /^[^]*1 new error, 0 gone\nfar\.ts\n.*$/,
    );
    desk.put('late.ts', '');
    await desk.write('late.ts', "export const late: number = 'x';\n");
    assert.match(await call('diagnostics', { since: 'edit', path: 'late.ts' }), /1 new error[^]*Some may be older/);
  });

  it('renames everywhere, as a change of the agent that one Undo takes back', async () => {
    desk.put('crlf.ts', "import { square } from './shapes';\r\nsquare(1);\r\n");
    const before = ['shapes.ts', 'main.ts', 'crlf.ts'].map((name) => readFileSync(desk.path(name)));
    assert.equal(
      await call('rename_symbol', { symbol: 'square', path: 'shapes.ts', new_name: 'squared' }),
      [
        'Renamed square to squared. 3 files changed:',
        '  crlf.ts: 2 edits',
        '  main.ts: 2 edits',
        '  shapes.ts: 3 edits',
      ].join('\n'),
    );
    assert.equal(readFileSync(desk.path('crlf.ts'), 'utf8'), "import { squared } from './shapes';\r\nsquared(1);\r\n");
    assert.equal(desk.review.pendingSessions.includes(sessionId), true);
    await desk.shownReview.undo({});
    assert.deepEqual(
      ['shapes.ts', 'main.ts', 'crlf.ts'].map((name) => readFileSync(desk.path(name))),
      before,
    );
  });

  describe('leave what the user types while they work', () => {
    const before = ["import { square } from './shapes';\n", 'square(1);\n', '\n', '// end\n'];
    const rename = { name: 'rename_symbol', args: { symbol: 'square', path: 'shapes.ts', new_name: 'squared' } };

    /** A session whose first write of a call comes after something that the user does. */
    const after = (work: () => Promise<unknown>) => (): ToolSession => ({
      ...session(),
      files: {
        readTextFile: (...asked) => desk.files.readTextFile(...asked),
        writeTextFile: async (...asked) => {
          await work();
          work = async () => undefined;
          return desk.files.writeTextFile(...asked);
        },
      },
    });

    for (const saved of [false, true])
      it(`in other lines of a file that is written later, ${saved ? 'saved' : 'not saved'}`, async () => {
        desk.put('also.ts', before.join(''));
        desk.put('used.ts', before.join(''));
        const editor = await desk.open('used.ts');
        const typed = async () => {
          await desk.type(editor, 4, '// mine\n');
          if (saved) await editor.document.save();
        };
        const answer = await answerOf(after(typed), rename);
        assert.match(answer.text, /^Renamed square to squared\. 4 files changed:/);
        const renamed = before.join('').replaceAll('square', 'squared');
        assert.equal(editor.document.getText(), `${renamed}// mine\n`);
        await desk.shownReview.undo({});
        assert.equal(editor.document.getText(), `${before.join('')}// mine\n`);
      });

    it('in a line that a tool changes too: that file stays as it is, and the agent hears which', async () => {
      desk.put('also.ts', before.join(''));
      desk.put('used.ts', before.join(''));
      const editor = await desk.open('used.ts');
      const answer = await answerOf(
        after(() => desk.type(editor, 1, 'mine(')),
        rename,
      );
      assert.equal(answer.isError, true);
      assert.match(
        answer.text,
        /^used\.ts was not changed: .*used\.ts was changed meanwhile on the same lines\. Nothing was written to it\. Try again\.\nChanged before that:\n {2}also\.ts: 2 edits\n/,
      );
      assert.equal(editor.document.getText(), before.join('').replace('square(1)', 'mine(square(1)'));
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('between the question to the language server and its answer: nothing is changed', async () => {
      desk.put('used.ts', before.join(''));
      const editor = await desk.open('used.ts');
      let typing = Promise.resolve();
      let lines = 0;
      const clock: ToolSession['clock'] = {
        ...patientClock,
        // The wait for a language server begins when it was asked.
        setTimeout: (callback, delayMs) => {
          lines++;
          typing = typing.then(() => desk.type(editor, 0, '\n'));
          return patientClock.setTimeout(callback, delayMs);
        },
      };
      const name = { symbol: 'square', path: 'shapes.ts', new_name: 'squared' };
      const answer = await answerOf(() => ({ ...session(), clock }), { name: 'rename_symbol', args: name });
      await typing;
      assert.equal(editor.document.getText(), '\n'.repeat(lines) + before.join(''));
      assert.equal(
        answer.text,
        'used.ts was changed while the language server worked. Nothing was changed. Try again.',
      );
      assert.equal(desk.disk('shapes.ts'), shapes);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });
  });

  it('applies quick fixes, formats and organizes imports', async () => {
    desk.put('loose.ts', "import { Circle, Square } from './shapes';\nconst  a=new Circle(1)\nlet b = sqare(2);\n");
    assert.match(await call('organize_imports', { path: 'loose.ts' }), /1 file changed/);
    assert.match(readFileSync(desk.path('loose.ts'), 'utf8'), /^import \{ Circle \} from/);
    assert.match(await call('format', { path: 'loose.ts' }), /Formatted loose\.ts/);
    assert.match(readFileSync(desk.path('loose.ts'), 'utf8'), /const a = new Circle\(1\)/);
    desk.put('fix.ts', 'const value = 1;\nexport const other = valu;\n');
    await desk.open('fix.ts');
    const listed = await call('code_actions', { path: 'fix.ts', line: 2, kind: 'quickfix' });
    const title = /^ {2}(Change spelling.*?)( \(|$)/m.exec(listed)?.[1];
    assert.ok(title, listed);
    assert.match(
      await call('code_actions', { path: 'fix.ts', line: 2, kind: 'quickfix', apply: title }),
      /1 file changed/,
    );
    assert.match(readFileSync(desk.path('fix.ts'), 'utf8'), /other = value;/);
  });

  it('goes nowhere outside the session’s folders, also through links', async () => {
    writeFileSync(join(desk.outside, 'secret.ts'), "import { square } from '../x';\nexport const secret = 1;\n");
    symlinkSync(desk.outside, desk.path('link'));
    for (const path of [join(desk.outside, 'secret.ts'), 'link/secret.ts', '../outside.ts', '/etc/passwd'])
      assert.match(await call('document_symbols', { path }, true), /outside the session’s folders/);
    desk.put('uses.ts', 'const list = [1].map((value) => value);\n');
    assert.match(
      await call('definition', { path: 'uses.ts', line: 1, symbol: 'map' }),
      /^0 definitions of map in 0 files\n\(\d+ outside the session’s folders left out\)$/,
    );
  });

  it('pages long answers', async () => {
    desk.put('many.ts', `import { square } from './shapes';\n${'square(1);\n'.repeat(120)}`);
    const first = await call('references', { symbol: 'square', path: 'shapes.ts', limit: 100 });
    const cursor = /cursor "(\d+)"/.exec(first)?.[1];
    assert.equal(cursor, '100');
    const second = await call('references', { symbol: 'square', path: 'shapes.ts', limit: 100, cursor });
    assert.equal((first + second).match(/square\(1\);/g)?.length, 120);
  });

  it('lists tools with true annotations, and not what tells where the user looks', async () => {
    const tools = (await listedTools()) as { name: string; annotations: { readOnlyHint: boolean } }[];
    assert.deepEqual(
      tools
        .filter(({ annotations }) => !annotations.readOnlyHint)
        .map(({ name }) => name)
        .slice(0, 4),
      ['rename_symbol', 'code_actions', 'format', 'organize_imports'],
    );
    assert.equal(
      tools.some(({ name }) => name === 'selection' || name === 'open_editors'),
      false,
    );
    assert.deepEqual(asked, []);
  });
});
