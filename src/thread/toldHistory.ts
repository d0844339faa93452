import type { DecodedBlock } from '../acp/decodeContent';
import type { MessageRole, ToolCallFields, Update } from '../acp/decodeUpdate';
import { agentsId } from './callIds';
import { shownEntries } from './rewind';
import type { Part, Thread } from './thread';

/**
 * How an update relates to the existing conversation: `told` repeats it, `part` may repeat it so far, `news` does not.
 */
export type Retold = 'told' | 'part' | 'news';

/** Length of a prompt from which it is recognized within an agent's version of it. */
const longPrompt = 8;

/** The messages and calls after one prompt. Texts are without white space, since agents change it in replays. */
interface Told {
  readonly user: string;
  readonly agent: Stream;
  readonly thought: Stream;
  /** The agent's ids of the calls that were not replayed yet. */
  readonly calls: string[];
  readonly titles: Set<string>;
}

interface Stream {
  text: string;
  /** The beginnings of entries, and the end. */
  readonly marks: Set<number>;
}

/**
 * Compares an agent's updates with the existing conversation, by content and order. Agents replay at any time around
 * the answer to the request that resumes a session, and leave out or join messages.
 */
export class ToldHistory {
  readonly #turns: readonly Told[];
  /** The turn of the current replay position; -1 before. */
  #turn = -1;
  #at: Record<MessageRole, number> = { user: 0, agent: 0, thought: 0 };
  readonly #toldCalls = new Set<string>();
  /** The replay includes prompts: the messages after one belong to it. */
  #tellsPrompts = false;
  /** The replayed prompt may be the running one, whose answer may be the same, too. */
  #isDoubtful = false;

  /** @param thread when the session is resumed, without a prompt that waits for that */
  constructor(thread: Thread) {
    this.#turns = turnsOf(thread);
  }

  /** Its last message was replayed. */
  get isOver(): boolean {
    const last = this.#turns[this.#turn];
    return (
      this.#turn === this.#turns.length - 1 &&
      last !== undefined &&
      this.#at.agent === last.agent.text.length &&
      last.calls.length === 0
    );
  }

  /** It may be the answer to the same prompt, sent again. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** @param prompt sent since the session was resumed; undefined before */
  take(update: Update, prompt: string | undefined): Retold {
    const found = this.#find(update, prompt);
    // An echo of the prompt is not shown either.
    if (found === 'told' && this.#isDoubtful && !('role' in update && update.role === 'user')) return 'part';
    // Without a prompt, unknown text within a replay is most likely a reworded part of it.
    return found === 'news' && prompt === undefined && this.#turn >= 0 && !this.isOver ? 'part' : found;
  }

  #find(update: Update, prompt: string | undefined): Retold {
    switch (update.type) {
      case 'chunk':
      case 'messageChunk':
        return this.#words(update.role, [update.content], prompt);
      case 'message':
        return this.#words(update.role, update.content ?? [], prompt);
      case 'toolCall':
        return this.#call(update.fields, update.announces === true, prompt);
      case 'toolContent':
        return this.#toldCalls.has(update.toolCallId) ? 'told' : 'news';
      default:
        return this.#turn >= 0 && !this.isOver ? 'told' : 'news';
    }
  }

  #words(role: MessageRole, content: readonly DecodedBlock[], prompt: string | undefined): Retold {
    const text = wordsOf(content);
    if (text === '') return this.#turn >= 0 && !this.isOver ? 'told' : 'news';
    if (role === 'user') return this.#prompt(text, prompt);
    if (this.#turn < 0) return prompt === undefined && this.#begin(role, text) ? this.#on(role, text) : 'news';
    for (let turn = this.#turn; turn < this.#turns.length; turn++) {
      const { text: all, marks } = this.#turns[turn]![role];
      const start = turn === this.#turn ? this.#at[role] : 0;
      const at = all.startsWith(text, start)
        ? start
        : [...marks].find((mark) => mark > start && all.startsWith(text, mark));
      // Do not skip the rest of a text.
      if (at !== undefined) return this.#go(turn, role, at, text);
      if (start < all.length || this.#tellsPrompts) break;
    }
    return 'news';
  }

  #prompt(text: string, prompt: string | undefined): Retold {
    const rest = this.#turns[this.#turn]?.user.slice(this.#at.user) ?? '';
    if (rest !== '' && rest.startsWith(text)) {
      this.#at.user += text.length;
      return 'told';
    }
    const next = this.#turns.findIndex(
      ({ user }, turn) =>
        turn > this.#turn &&
        user !== '' &&
        (user.startsWith(text) || text === user || (user.length >= longPrompt && text.includes(user))),
    );
    if (next === -1) return 'news';
    const isEcho = prompt !== undefined && withoutSpace(prompt).startsWith(text);
    if (this.#turn < 0 && isEcho) this.#isDoubtful = true;
    else if (this.#isDoubtful) this.#isDoubtful = false;
    this.#tellsPrompts = true;
    this.#go(next, 'user', 0, text);
    return 'told';
  }

  /** Finds the first entry of a replay that leaves out the first prompt. */
  #begin(role: 'agent' | 'thought', text: string): boolean {
    this.#turn = this.#turns.findIndex((turn) =>
      [...turn[role].marks].some((mark) => turn[role].text.startsWith(text, mark)),
    );
    return this.#turn >= 0;
  }

  #on(role: 'agent' | 'thought', text: string): Retold {
    const stream = this.#turns[this.#turn]![role];
    return this.#go(
      this.#turn,
      role,
      [...stream.marks].find((mark) => stream.text.startsWith(text, mark))!,
      text,
    );
  }

  #go(turn: number, role: MessageRole, at: number, text: string): Retold {
    if (turn !== this.#turn || role === 'user') this.#at = { user: 0, agent: 0, thought: 0 };
    this.#turn = turn;
    this.#at[role] = at + text.length;
    return role === 'user' || this.#turns[turn]![role].marks.has(this.#at[role]) ? 'told' : 'part';
  }

  #call({ toolCallId, title }: ToolCallFields, announces: boolean, prompt: string | undefined): Retold {
    if (this.#toldCalls.has(toolCallId) && !announces) return 'told';
    const from = this.#turn < 0 ? (prompt === undefined ? 0 : this.#turns.length) : this.#turn;
    for (let turn = from; turn < this.#turns.length; turn++) {
      const { calls, titles } = this.#turns[turn]!;
      if (turn > from && this.#tellsPrompts) break;
      const index = calls.indexOf(toolCallId);
      if (index === -1 && !(announces && title && titles.has(title))) continue;
      calls.splice(index === -1 ? 0 : index, 1);
      this.#toldCalls.add(toolCallId);
      if (this.#turn < 0) this.#turn = turn;
      return 'told';
    }
    return 'news';
  }
}

function turnsOf(thread: Thread): Told[] {
  const empty = (user: string): Told => ({
    user,
    agent: { text: '', marks: new Set([0]) },
    thought: { text: '', marks: new Set([0]) },
    calls: [],
    titles: new Set(),
  });
  const turns = [empty('')];
  for (const entry of shownEntries(thread, thread.turn?.firstIndex)) {
    const turn = turns.at(-1)!;
    if (entry.kind === 'userMessage') turns.push(empty(wordsOf([...entry.parts])));
    else if (entry.kind === 'agentMessage' || entry.kind === 'thought')
      add(entry.kind === 'thought' ? turn.thought : turn.agent, wordsOf([...entry.parts]));
    else if (entry.kind === 'toolCall') {
      turn.calls.push(agentsId(entry.toolCallId));
      turn.titles.add(entry.title);
    }
  }
  return turns.filter(
    ({ user, agent, thought, calls }) => user !== '' || agent.text !== '' || thought.text !== '' || calls.length > 0,
  );
}

function add(stream: Stream, text: string): void {
  stream.text += text;
  stream.marks.add(stream.text.length);
}

function wordsOf(blocks: readonly (Part | DecodedBlock)[]): string {
  return withoutSpace(blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''));
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
