import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk';
import { ask } from './scenes/ask';
import { compact } from './scenes/compact';
import { disk } from './scenes/disk';
import { edit } from './scenes/edit';
import { fail } from './scenes/error';
import { flood } from './scenes/flood';
import { images } from './scenes/images';
import { link } from './scenes/link';
import { markdown } from './scenes/markdownScene';
import { mode } from './scenes/mode';
import { overview } from './scenes/overview';
import { permissions } from './scenes/permissions';
import { plan } from './scenes/plan';
import { read } from './scenes/read';
import { refuse } from './scenes/refuse';
import { run } from './scenes/run';
import { slow } from './scenes/slow';
import { think } from './scenes/think';
import { tour } from './scenes/tour';
import type { Scene } from './turn';

interface Command {
  readonly description: string;
  /** What may follow the command. */
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
  disk: {
    description: 'Change files on disk, after asking',
    title: 'Changes on disk',
    words: /\b(disk|formatter)\b/i,
    scene: disk,
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
  think: { description: 'Think first, then answer', title: 'A thought', words: /\b(think|why)\b/i, scene: think },
  markdown: {
    description: 'Headings, tables, code, lists, links, an image',
    title: 'Markdown',
    words: /\b(markdown|table|headings?)\b/i,
    scene: markdown,
  },
  images: {
    description: 'Draw an image, or send back the one you attached',
    title: 'Images',
    words: /\b(images?|pictures?|draw)\b/i,
    scene: images,
  },
  permissions: {
    description: 'Send three permission requests at once',
    title: 'Three requests at once',
    words: /\b(permissions?|three)\b/i,
    scene: permissions,
  },
  ask: {
    description: 'Ask with a form, one field of each kind',
    title: 'A form',
    words: /\b(form|questionnaire|castle)\b/i,
    scene: ask,
  },
  link: {
    description: 'Ask you to open a web page',
    title: 'A web page',
    words: /\b(web page|sign in|browser)\b/i,
    scene: link,
  },
  mode: {
    description: 'Switch the mode by itself, then ask to leave it',
    title: 'Modes',
    words: /\bmodes?\b/i,
    scene: mode,
  },
  slow: {
    description: 'A long answer, to be stopped',
    title: 'A long answer',
    words: /\b(slow|long|stop)\b/i,
    scene: slow,
  },
  compact: {
    description: 'Replace the conversation with a summary',
    title: 'A compaction',
    words: /\b(compact|summari[sz]e|context)\b/i,
    scene: compact,
  },
  error: {
    description: 'Fail the way agents fail',
    hint: 'or "limit"',
    title: 'An error',
    words: /\b(error|fail|crash)\b/i,
    scene: fail,
  },
  refuse: { description: 'Refuse to answer', title: 'A refusal', words: /\brefus/i, scene: refuse },
  flood: {
    description: 'Stream mixed Markdown as fast as possible',
    hint: 'number of chunks',
    title: 'A flood',
    words: /\bflood\b/i,
    scene: flood,
  },
};

/** What the client offers when the user types a slash. */
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
