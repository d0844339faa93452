import { describe, expect, it } from 'vitest';
import { asksForInput } from '../../../src/thread/inputPrompt';

describe('a quiet terminal that asks for input', () => {
  it.each([
    ['[sudo] password for anna: '],
    ['Password:'],
    ["Enter passphrase for key '/home/anna/.ssh/id_ed25519': "],
    ["Username for 'https://example.org': "],
    ['Are you sure you want to continue connecting (yes/no/[fingerprint])? '],
    ['Do you want to continue? [Y/n] '],
    ['Overwrite? (y/N)'],
    ['Ok to proceed? (y) '],
    ['package name: (demo) [demo]'],
    ['>>> '],
    ['mysql> '],
    ['anna@host:~$ '],
    ['root@host:/# '],
    ['  …\nPress any key to continue . . .'],
    ['What is your name?'],
    ['? Select a framework: › - Use arrow-keys. Return to submit.\n❯   Vanilla\n    Vue\n    React'],
    ['◆  Which template?\n│  ● Minimal\n│  ○ Full\n└'],
  ])('does: %j', (text) => {
    expect(asksForInput(text.split('\n'), true)).toBe(true);
  });

  it.each([['Press ENTER to continue'], ['Continue? [y/N]'], ['New password:']])(
    'does, also with a new line after it: %j',
    (text) => {
      expect(asksForInput([text], false)).toBe(true);
    },
  );

  it.each([
    ['', true],
    ['Compiling 12 of 99 …', true],
    ['Downloading 45%', true],
    ['⠋ Installing', true],
    ['VITE v5 ready\n\n  ➜  Local:   http://localhost:5173/', false],
    ['Server listening on port 3000', false],
    ['Watching for file changes:', false],
    ['error TS2345: what is this?', false],
    ['Tests: 3 passed (4)', false],
    ['? Select\n✔ done', false],
    ['the password: was wrong', false],
  ])('does not: %j (open: %s)', (text, isOpen) => {
    expect(asksForInput(text.split('\n'), isOpen)).toBe(false);
  });
});
