import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk';
import { ask } from './scenes/ask';
import { edit } from './scenes/edit';
import { markdown } from './scenes/markdownScene';
import { plan } from './scenes/plan';
import { read } from './scenes/read';
import { run } from './scenes/run';
import { tour } from './scenes/tour';
import type { Scene, Turn } from './turn';

interface Command {
  readonly description: string;
  readonly hint?: string;
  /** Titles the session when this was its first prompt. */
  readonly title: string;
  /** Plain words that mean the same as the command. */
  readonly words: RegExp;
  readonly scene: Scene;
}

const commands: Readonly<Record<string, Command>> = {
  tour: {
    description: 'A bit of everything in one minute',
    title: 'A tour of Parley',
    words: /\b(tour|show me around|what can you do)\b/i,
    scene: tour,
  },
  edit: {
    description: 'Change a file, after asking',
    hint: 'a file, or "several"',
    title: 'An edit to review',
    words: /\b(edit|fix|make|write|improve|change|refactor|bugs?)\b/i,
    scene: edit,
  },
  run: {
    description: 'Run a command in a terminal, after asking',
    title: 'A command in a terminal',
    words: /\b(run|terminal|command|tests?)\b/i,
    scene: run,
  },
  read: {
    description: 'Read a file, unsaved text included',
    hint: 'a file',
    title: 'Reading a file',
    words: /\b(read|open|look at|explain)\b/i,
    scene: read,
  },
  plan: {
    description: 'Work through a plan step by step',
    title: 'A plan',
    words: /\b(plan|todo|steps)\b/i,
    scene: plan,
  },
  markdown: {
    description: 'Headings, tables, code, lists, links, an image',
    title: 'Markdown',
    words: /\b(markdown|table|headings?)\b/i,
    scene: markdown,
  },
  ask: {
    description: 'Ask with a form, one field of each kind',
    title: 'A form',
    words: /\b(form|questionnaire|castle)\b/i,
    scene: ask,
  },
};

/** The commands that the client offers after a slash. */
export const availableCommands: AvailableCommand[] = Object.entries(commands).map(([name, { description, hint }]) => ({
  name,
  description,
  ...(hint ? { input: { hint } } : {}),
}));

/** Finds what to play: the slash command, or the words that mean the same, or the overview. */
export function sceneFor(prompt: readonly ContentBlock[]): { scene: Scene; args: string; title: string } {
  const text = prompt
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join(' ')
    .trim();
  const [, name = '', args = ''] = /^\/(\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const meant = command ?? Object.values(commands).find(({ words }) => words.test(text));
  if (meant) return { scene: meant.scene, args: command ? args.trim() : '', title: meant.title };
  return { scene: (turn) => overview(turn, availableCommands), args: '', title: 'Hello' };
}

/** The demo's answer to any other prompt: the commands to try. */
async function overview(turn: Turn, commands: readonly AvailableCommand[]): Promise<void> {
  const rows = commands.map(({ name, description }) => `| \`/${name}\` | ${description} |`);
  await turn.say(
    [
      'Hello. I am the demo agent that comes with Parley. There is no model behind me, no account and no network: ' +
        'I only show what an agent can do here.',
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
