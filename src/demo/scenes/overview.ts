import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

/** What the demo says to whatever it does not know: what there is to try. */
export async function overview(turn: Turn, commands: readonly AvailableCommand[]): Promise<void> {
  const rows = commands.map(({ name, description }) => `| \`/${name}\` | ${description} |`);
  await turn.say(
    [
      'Hello. I am the demo agent that comes with Parley. There is no model behind me, no account and no network: I only show what an agent can do here.',
      '',
      'Three good places to begin:',
      '',
      '1. **/tour** shows a bit of everything in about a minute.',
      '2. **/edit** changes a file of this folder. You see the diff first, and you can undo it afterwards.',
      '3. **/run** runs a command in a real terminal, with colours and a progress bar.',
      '',
      'Type `/` to see all of it:',
      '',
      '| Command | What it shows |',
      '|:--|:--|',
      ...rows,
      '',
      'For real work, select another agent below the message box.',
      '',
    ].join('\n'),
  );
}
