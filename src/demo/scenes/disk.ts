import { writeFile } from 'node:fs/promises';
import type { Turn } from '../turn';
import { findFiles, label, readFromDisk } from '../workspace';
import { improve } from '../improve';
import { allowed } from './edit';
import { leavePlanMode } from './mode';
import { runProgram } from './run';

/** Adds an empty line at the end of a file, or takes it away again: a change that no language minds. */
const formatter = [
  'const fs = require("node:fs");',
  'const file = process.argv[1];',
  'const text = fs.readFileSync(file, "utf8");',
  'fs.writeFileSync(file, text.endsWith("\\n\\n") ? text.slice(0, -1) : `${text}\\n`);',
  'console.log(`formatted ${file}`);',
].join('\n');

/**
 * Writes to disk behind the editor's back, as Claude Code and Codex do, and then lets a command change another file.
 */
export async function disk(turn: Turn): Promise<void> {
  if (turn.session.mode === 'plan' && !(await leavePlanMode(turn, 'I would change files now.'))) {
    return turn.say('Then I keep planning. Nothing was changed.\n');
  }
  const [own, formatted] = await findFiles(turn, 2);
  const text = own && (await readFromDisk(own));
  if (!own || text === undefined) return turn.say('This folder has no file that I can change.\n');
  await turn.say(`Many agents write files directly, without the editor. I do that now to \`${label(turn, own)}\`.\n\n`);
  const { newText, summary } = improve(own, text);
  const toolCall = {
    title: `Edit ${label(turn, own)}`,
    kind: 'edit' as const,
    locations: [{ path: own }],
    content: [{ type: 'diff' as const, path: own, oldText: text, newText }],
  };
  const toolCallId = turn.startTool({ ...toolCall, status: 'pending' });
  if (!(await allowed(turn, { toolCallId, ...toolCall }))) {
    turn.updateTool({ toolCallId, status: 'failed' });
    return turn.say('I left it as it was.\n');
  }
  await writeFile(own, newText);
  turn.updateTool({ toolCallId, status: 'completed' });
  await turn.say(`\n${summary}\n\n`);
  if (formatted && turn.session.capabilities.terminal) {
    await turn.say(`Now a command that changes \`${label(turn, formatted)}\`, as a formatter would.\n\n`);
    await runProgram(turn, `Format ${label(turn, formatted)}`, formatter, [formatted]);
  }
  await turn.say('\nMy changes are listed above the message box anyway. Review them, then keep or undo them.\n');
}
