import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { Desk, until } from './desk';

/* VS Code's own JSON formatter, which indents the whole file, and a program that writes the same file. */
describe('format on save with a real formatter', () => {
  let desk: Desk;
  const config = () => vscode.workspace.getConfiguration('editor');
  beforeEach(async () => {
    desk = new Desk();
    await config().update('formatOnSave', true, vscode.ConfigurationTarget.Workspace);
  });
  afterEach(async () => {
    await config().update('formatOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    await desk.clear();
  });

  /** Opens a file and waits until its formatter has started. */
  const openFormatted = async (name: string) => {
    const editor = await desk.open(name);
    const edits = () =>
      vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatDocumentProvider',
        editor.document.uri,
        { tabSize: 2, insertSpaces: true },
      );
    await until('the formatter', async () => ((await edits()) ?? []).length > 0);
    return editor.document;
  };

  it("what it changes counts as the agent's, and Undo brings back the exact text", async () => {
    const before = '{"one":1,\n"two":[1,2,3],\n"three":{"a":1}}\n';
    desk.put('a.json', before);
    const document = await openFormatted('a.json');
    await desk.read('a.json');
    await desk.write('a.json', before.replace('3', '4'));
    assert.match(desk.disk('a.json'), /^ +"two"/m);
    await desk.undoAll();
    assert.equal(desk.disk('a.json'), before);
    await until('the editor to follow', () => document.getText() === before && !document.isDirty);
    assert.deepEqual(desk.changes(), []);
  });

  it('a second writer in the middle of a save: one of both is refused, and the file can be written again', async () => {
    desk.put('a.json', `{\n${Array.from({ length: 200 }, (_, index) => `"k${index}": ${index}`).join(',\n')}\n}\n`);
    const document = await openFormatted('a.json');
    for (const [round, delayMs] of [8, 24, 40].entries()) {
      await desk.read('a.json');
      const text = readFileSync(desk.path('a.json'), 'utf8');
      const second = text.replace(/"k150": [^,]*/, `"k150": "second ${round}"`);
      const timer = setTimeout(() => writeFileSync(desk.path('a.json'), second), delayMs);
      await desk.write('a.json', text.replace(/"k10": [^,]*/, `"k10": "agent ${round}"`)).catch(() => undefined);
      clearTimeout(timer);
      // Whoever came last, the editor shows it and holds nothing unsaved.
      await until(`round ${round} to settle`, () => !document.isDirty && document.getText() === desk.disk('a.json'));
    }
    const text = await desk.read('a.json');
    await desk.write('a.json', text.replace(/"k20": [^,]*/, '"k20": "last"'));
    assert.match(desk.disk('a.json'), /"k20": "last"/);
  });
});
