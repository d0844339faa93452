import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * What agents do to files by themselves, without asking the client. Paths are absolute. @type {Record<string,
 * import('./directives.mjs').Directive>}
 */
export const diskDirectives = {
  /**
   * As Codex does it: one call with the whole file before and after, written at once. `@@DISKEDIT path | old | new`;
   * `\n` in it is a line break.
   */
  async DISKEDIT(turn, argument) {
    const [path = '', old = '', fresh = ''] = argument.split(' | ');
    const before = readFileSync(path, 'utf8');
    const after = before.replace(old, () => fresh.replaceAll('\\n', '\n'));
    const toolCallId = turn.newToolCallId();
    turn.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'Editing files',
      kind: 'edit',
      status: 'in_progress',
      content: [{ type: 'diff', path, oldText: before, newText: after }],
    });
    await turn.wait(30);
    writeFileSync(path, after);
    turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  },
  /** A command that the agent runs itself, and of which it tells nothing but its line. `@@SHELL line`. */
  SHELL(turn, command) {
    const toolCallId = turn.newToolCallId();
    turn.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: command,
      kind: 'execute',
      status: 'in_progress',
      rawInput: { command },
    });
    execSync(command);
    turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  },
};
