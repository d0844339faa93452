import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findRipgrep } from '../../../src/host/files/fileListing';

/* What VS Code does not promise, and Parley relies on: CONTRIBUTING.md lists it with the reasons. */
describe('the insides of VS Code', () => {
  it('have every command that Parley runs', async () => {
    const { extensionPath } = vscode.extensions.getExtension('parley.parley')!;
    const source = join(extensionPath, 'src');
    const run = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(source, file), 'utf8').matchAll(/'(workbench\.(?:action|trust)\.[\w.]+)'/g),
      ])
      .map(([, command = '']) => command);
    assert.ok(run.includes('workbench.action.terminal.copySelection'), 'no command was found');
    const known = await vscode.commands.getCommands();
    assert.deepEqual(
      // A window on this machine has no settings elsewhere.
      run.filter((command) => !known.includes(command) && (vscode.env.remoteName || !command.includes('Remote'))),
      [],
    );
  });

  it('have ripgrep where Parley looks for it', async () => {
    assert.ok(await findRipgrep(), `there is no ripgrep below ${vscode.env.appRoot}`);
  });
});
