import { items } from '../item.mjs';

/** terminal/*: commands that run on our side. */
export const terminals = items(
  [144, 'M', 'create-answers-at-once', 'create answers before the command ends, with an id of its own.', 'terminals', ['stdio/terminals › 144: ']],
  [145, 'M', 'arguments-arrive-literally', 'Arguments are passed as they are, variables overlaid, the folder respected.', 'terminals', ['stdio/terminals › 145: ']],
  [146, 'R', 'a-whole-line-runs-in-a-shell', 'A line without arguments runs in a shell; a program with spaces in its path directly.', 'ours', ['stdio/terminals › 146: ', 'unit/thread/shellLine']],
  [147, 'M', 'output-and-status', 'output gives all so far, truncated always, the status only after the exit.', 'terminals', ['stdio/terminals › 147: ']],
  [148, 'M', 'the-limit-keeps-the-tail', 'Within outputByteLimit the newest bytes stay, cut between characters.', 'terminals', ['stdio/terminals › 148: ', 'unit/thread/terminalOutput › is the newest']],
  [149, 'M', 'every-waiter-hears-the-exit', 'wait_for_exit tells code or signal, to many, also afterwards.', 'terminals', ['stdio/terminals › 149: ']],
  [150, 'M', 'kill-ends-the-tree', 'kill ends all that the command started; the terminal can still be read.', 'terminals', ['stdio/terminals › 150: ']],
  [151, 'M', 'release-ends-and-forgets', 'release ends the command, settles waiters, and the id is unknown then.', 'terminals', ['stdio/terminals › 151: ']],
  [152, 'S', 'released-output-stays', 'A released terminal keeps showing its output.', 'terminals', ['stdio/terminals › 152: ', 'vscode/suite/terminals › a terminal that has ended']],
  [153, 'M', 'a-missing-command-ends', 'A command that does not exist ends with 127.', 'terminals', ['stdio/terminals › 153: ']],
  [154, 'R', 'nothing-is-left-running', 'Terminals that nobody released end with their session.', 'ours', ['stdio/terminals › 154: ']],
  [155, 'R', 'output-is-whole-text', 'Characters and order survive; escape sequences are gone and lines end with a line feed.', 'ours', ['stdio/terminals › 155: ', 'unit/thread/terminalText']],
  [156, 'M', 'null-is-absent', 'null for an optional parameter is as if it were absent.', 'schema', ['stdio/terminals › 156: ', 'stdio/rpc › 156 ']],
  [157, 'R', 'no-hang-and-no-flood', 'A program that waits can be ended; a flood does not fill the memory.', 'ours', ['stdio/terminals › 157: ']],
  [158, 'M', 'the-folder-is-absolute', 'A relative cwd is -32602.', 'terminals', ['stdio/terminals › 158: ']],
);
