import type { Turn } from '../turn';
import { findFiles, label, readFromDisk } from '../workspace';

/** Reads one file through the client and says what it found, unsaved text included. */
export async function read(turn: Turn): Promise<void> {
  const [path] = await findFiles(turn, 1);
  if (!path)
    return turn.say('This folder has no file that I can read. Open a folder with some code in it and ask again.\n');

  const attached = embeddedText(turn);
  if (attached !== undefined)
    await turn.say('You attached its text to the prompt, so I know it already. I read it again anyway.\n\n');
  const text = await readAsTool(turn, path);
  if (text === undefined) return;

  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const changed = await unsavedLines(path, text);
  await turn.say(
    `\`${label(turn, path)}\` has **${lines.length} ${lines.length === 1 ? 'line' : 'lines'}**, ` +
      'and the first one says:\n\n' +
      `\`\`\`\n${first.slice(0, 200)}\n\`\`\`\n\n` +
      (changed > 0
        ? `${changed === 1 ? 'One line differs' : `${changed} lines differ`} from the file on disk: ` +
          'I read the text in your editor, **unsaved text included**.\n'
        : 'Change something in it, don’t save, and ask me again. ' +
          'I read the text in your editor, not the file on disk.\n'),
  );
}

/** Reads a file as a tool call of its own. Undefined if it could not be read; the user has been told. */
export async function readAsTool(turn: Turn, path: string): Promise<string | undefined> {
  const toolCallId = turn.startTool({
    title: `Read ${label(turn, path)}`,
    kind: 'read',
    status: 'in_progress',
    locations: [{ path, line: 1 }],
    rawInput: { path },
  });
  if (!turn.session.capabilities.fs?.readTextFile) {
    const text = await readFromDisk(path);
    turn.updateTool({ toolCallId, status: text === undefined ? 'failed' : 'completed' });
    await turn.say(
      'This client does not let me read through the editor, so I read from disk and cannot see unsaved text.\n\n',
    );
    return text;
  }
  try {
    await turn.pause(300);
    const text = await turn.readFile(path);
    turn.updateTool({ toolCallId, status: 'completed', rawOutput: { characters: text.length } });
    return text;
  } catch (error) {
    turn.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    turn.updateTool({
      toolCallId,
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: reason } }],
    });
    await turn.say(`I could not read \`${label(turn, path)}\`: ${reason}\n`);
    return undefined;
  }
}

function embeddedText(turn: Turn): string | undefined {
  for (const block of turn.prompt) {
    if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  }
  return undefined;
}

async function unsavedLines(path: string, text: string): Promise<number> {
  const onDisk = await readFromDisk(path);
  if (onDisk === undefined || onDisk === text) return 0;
  const saved = onDisk.split(/\r?\n/);
  const held = text.split(/\r?\n/);
  const count = Math.max(saved.length, held.length);
  return Array.from({ length: count }, (_, index) => index).filter((index) => saved[index] !== held[index]).length;
}
