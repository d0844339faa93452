import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('starts the extension and registers its commands', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension, 'the extension parley.parley is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes('parley.openChat'), 'parley.openChat is not registered');
  });
});
