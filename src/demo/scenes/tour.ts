import type { PlanEntry } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';
import { findFiles, label } from '../workspace';
import { editFile } from './edit';
import { showPlan } from './plan';
import { readAsTool } from './read';
import { run } from './run';

const steps: readonly Pick<PlanEntry, 'content' | 'priority'>[] = [
  { content: 'Look at the folder', priority: 'medium' },
  { content: 'Read a file', priority: 'medium' },
  { content: 'Change it, after asking', priority: 'high' },
  { content: 'Run a command, after asking', priority: 'high' },
  { content: 'Sum up', priority: 'low' },
];

/** A bit of everything: thought, plan, read, edit, command, answer. */
export async function tour(turn: Turn): Promise<void> {
  const { session } = turn;
  await turn.think(
    'A user wants to see what an agent can do in here. Show the things in the order in which real work has them, ' +
      'and do no harm.',
  );
  await turn.say('Here is a tour in five steps. The plan shows where I am.\n\n');
  showPlan(turn, steps, 0);
  let isChanged = false;
  const [path] = await findFiles(turn, 1);
  await turn.pause(600);
  showPlan(turn, steps, 1);
  if (!path) {
    await turn.say('This folder is empty, so I skip the steps that need a file.\n\n');
  } else {
    await turn.say(`I read \`${label(turn, path)}\` in your editor, with unsaved changes.\n\n`);
    const text = await readAsTool(turn, path);
    showPlan(turn, steps, 2);
    if (text !== undefined && session.capabilities.fs?.writeTextFile && session.mode !== 'plan') {
      await turn.say(
        `It has ${text.split('\n').length} lines. Now a small change. You see the diff before you decide:\n\n`,
      );
      isChanged = await editFile(turn, path, text);
    } else {
      await turn.say('I am not allowed to write here, so I skip the change.\n');
    }
  }
  showPlan(turn, steps, 3);
  if (session.mode === 'plan') {
    await turn.say('\nThis mode runs no commands, so I skip that too.\n');
  } else {
    await turn.say('\nNow a command, in a real terminal:\n\n');
    await run(turn, true);
  }
  showPlan(turn, steps, 4);
  await turn.say(
    '\n### That was the tour\n\n' +
      (isChanged
        ? '- **Press F7** to see the change in its file. `Alt+Enter` keeps it, `Alt+Backspace` undoes it.\n'
        : '') +
      '- The **mode** decides how often I ask. You can change it while I work.\n' +
      '- **Stop** ends my answer at once.\n' +
      '- `/markdown` shows what an answer can look like.\n',
  );
  showPlan(turn, steps, steps.length);
}
