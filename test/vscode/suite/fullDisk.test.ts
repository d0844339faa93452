import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { Desk, errorOf } from './desk';

/*
 * A small file system of its own in the workspace. Only an administrator of Linux can make one; elsewhere this is
 * skipped.
 */
describe('a workspace whose disk is full', () => {
  const original = 'mine\n'.repeat(20_000);
  const large = 'agent\n'.repeat(60_000);
  let desk: Desk;

  beforeEach(function () {
    desk = new Desk();
    mkdirSync(desk.path('small'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', desk.path('small')], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
  });
  afterEach(async () => {
    try {
      execFileSync('umount', ['-l', desk.path('small')], { stdio: 'ignore' });
    } catch {
      // It was not made.
    }
    await desk.clear();
  });

  const fill = () => assert.throws(() => writeFileSync(desk.path('small/filler'), Buffer.alloc(1_000_000)), /ENOSPC/);
  const refused = async (name: string) => {
    const { message } = await errorOf(desk.write(name, large));
    assert.match(message, /[Nn]ot enough disk space/);
  };

  it('a write of the agent leaves a closed file as it was', async () => {
    desk.put('small/a.txt', original);
    fill();
    await refused('small/a.txt');
    assert.equal(desk.disk('small/a.txt'), original);
    assert.deepEqual(desk.changes(), []);
  });

  it('a write of the agent leaves an open file as it was, with nothing unsaved', async () => {
    desk.put('small/a.txt', original);
    const { document } = await desk.open('small/a.txt');
    fill();
    await refused('small/a.txt');
    assert.equal(desk.disk('small/a.txt'), original);
    assert.deepEqual([document.isDirty, document.getText() === original], [false, true]);
    assert.deepEqual(desk.changes(), []);
  });

  it('a write of the agent that has no room is not edited first, so that VS Code cannot save it by itself', async () => {
    const config = vscode.workspace.getConfiguration('files');
    await config.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Workspace);
    await config.update('autoSaveDelay', 1, vscode.ConfigurationTarget.Workspace);
    try {
      desk.put('small/a.txt', original);
      const { document } = await desk.open('small/a.txt');
      const { version } = document;
      fill();
      await refused('small/a.txt');
      assert.equal(document.version, version);
      assert.equal(desk.disk('small/a.txt'), original);
    } finally {
      await config.update('autoSave', undefined, vscode.ConfigurationTarget.Workspace);
      await config.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('a new file is not left half written', async () => {
    fill();
    await refused('small/new.txt');
    assert.equal(desk.exists('small/new.txt'), false);
  });

  it('Undo says so, changes nothing, and works once there is room', async () => {
    desk.put('small/a.txt', original);
    await desk.read('small/a.txt');
    await desk.write('small/a.txt', 'short\n');
    fill();
    await desk.undoAll();
    assert.equal(desk.disk('small/a.txt'), 'short\n');
    assert.match(desk.reported.join(), /[Nn]ot enough disk space/);
    assert.deepEqual(desk.changes(), ['modified small/a.txt +1 -20000']);
    writeFileSync(desk.path('small/filler'), '');
    await desk.undoAll();
    assert.equal(desk.disk('small/a.txt'), original);
  });
});
