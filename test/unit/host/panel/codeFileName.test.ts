import { describe, expect, it, vi } from 'vitest';
import { codeFileName } from '../../../../src/host/panel/codeActions';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const declared = [
  { id: 'typescript', extensions: ['.ts', '.cts'] },
  { id: 'typescriptreact', extensions: ['.tsx'] },
  { id: 'yaml', extensions: ['.yaml', '.yml'] },
  { id: 'log' },
];

describe('the name of a file for code', () => {
  it.each([
    ['ts', 'typescript', 'untitled.ts'],
    ['typescript', 'typescript', 'untitled.ts'],
    ['TSX', 'typescriptreact', 'untitled.tsx'],
    ['yml {1,3}', 'yaml', 'untitled.yml'],
    ['log', 'log', 'untitled.txt'],
    ['', undefined, 'untitled.txt'],
    ['ts src/app.ts', 'typescript', 'app.ts'],
    ['ts {3} title="src/my app.ts"', 'typescript', 'my app.ts'],
    ["ts filename='a.ts'", 'typescript', 'a.ts'],
    ['ts:src/app.ts', 'typescript', 'app.ts'],
    ['12:40:src/App.vue', undefined, 'App.vue'],
    ['sh .envrc', 'shellscript', '.envrc'],
    ['md title=Größe.md', 'markdown', 'Größe.md'],
  ])('%j is %s: %s', (info, language, name) => {
    expect(codeFileName(info, language, declared)).toBe(name);
  });

  it.each([
    ['a path leads nowhere else', 'ts ../../.ssh/config.ts', 'config.ts'],
    ['nor does one of Windows', 'ts title="C:\\Users\\me\\a.ts"', 'a.ts'],
    ['a folder is none', 'ts title="src/"', 'untitled.ts'],
    ['dots are none', 'ts title=".."', 'untitled.ts'],
    ['hidden characters are none', 'ts title="gnp\u202e.ts"', 'untitled.ts'],
    ['a stream is none', 'ts title="a.ts*"', 'untitled.ts'],
    ['a very long one is none', `ts title="${'a'.repeat(200)}.ts"`, 'untitled.ts'],
  ])('%s', (_, info, name) => {
    expect(codeFileName(info, 'typescript', declared)).toBe(name);
  });
});
