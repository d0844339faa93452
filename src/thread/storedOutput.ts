import type { DecodedBlock } from '../acp/decodeContent';
import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import type { ThreadAction } from './actions';
import { broughtBy, notStored, textBlock, textContent, weightOf } from './outputWeight';

/** Limits of a transcript for an agent's output. Characters. */
export interface StoredLimits {
  /** Output of one call while it runs, and once more with its end; and one message. */
  readonly call: number;
  /** Everything of one session. */
  readonly session: number;
  /** For each call and each message beyond that. */
  readonly least: number;
}

export const storedLimits: StoredLimits = { call: 4_000_000, session: 200_000_000, least: 2_000 };

interface Used {
  running: number;
  ended: number;
}

/**
 * Cuts an agent's output to the stored length, and notes how much was cut. The user's messages and decisions are stored
 * whole. One for each transcript.
 */
export class StoredOutput {
  /** The stored length of each call's output. */
  readonly #used = new Map<string, Used>();

  /** @param stored characters that are stored or will be */
  constructor(
    private readonly stored: () => number,
    private readonly limits: StoredLimits = storedLimits,
  ) {}

  /** Characters of a self-contained output that may be stored. */
  get room(): number {
    return this.#roomFor(0);
  }

  /** The stored form of an action: the same object if nothing is cut. */
  take(action: ThreadAction): ThreadAction {
    // Almost all actions are short.
    if (broughtBy(action) <= this.limits.least && this.#left > this.limits.least) return this.#note(action);
    switch (action.type) {
      case 'message/chunkAppended':
      case 'message/appended':
      case 'compaction/chunkAppended':
        return 'role' in action && action.role === 'user'
          ? action
          : withBlock(action, cutBlock(action.content, this.room));
      case 'message/upserted':
        return action.role === 'user' || !action.content
          ? action
          : { ...action, content: cutList(action.content, this.room, cutBlock, textBlock) };
      case 'toolCall/contentAppended': {
        const room = this.#roomFor(this.#of(action.toolCallId).running);
        const stored = room < this.limits.least ? undefined : cutList(action.content, room, cutContent, textContent);
        return this.#note({ ...action, content: stored ?? [] });
      }
      case 'toolCall/patched':
        return this.#note({ ...action, fields: this.#fields(action.fields) });
      case 'permission/requested':
      case 'permission/answered':
        return this.#note({ ...action, fields: this.#fields(action.fields) });
      default:
        return action;
    }
  }

  #fields(fields: ToolCallFields): ToolCallFields {
    const used = this.#of(fields.toolCallId);
    const isEnd = isFinal(fields);
    let room = this.#roomFor(isEnd ? used.ended : used.running);
    // The next update repeats the output so far, and the last one does, too.
    if (room < this.limits.least && !isEnd) {
      const { content: _content, rawOutput: _output, ...rest } = fields;
      return { ...rest, ...('rawInput' in rest ? { rawInput: cutValue(rest.rawInput, this.limits.least) } : {}) };
    }
    room = Math.max(room, this.limits.least);
    const next = { ...fields };
    for (const key of ['rawInput', 'content', 'rawOutput'] as const) {
      if (next[key] === undefined) continue;
      const cut = key === 'content' ? cutList(next.content!, room, cutContent, textContent) : cutValue(next[key], room);
      room = Math.max(0, room - weightOf(cut));
      Object.assign(next, { [key]: cut });
    }
    return next;
  }

  get #left(): number {
    return Math.max(this.limits.session - this.stored(), this.limits.least);
  }

  #roomFor(used: number): number {
    return Math.max(0, Math.min(this.limits.call - used, this.#left));
  }

  #of(toolCallId: string): Used {
    return this.#used.get(toolCallId) ?? { running: 0, ended: 0 };
  }

  #note<T extends ThreadAction>(action: T): T {
    const [id, weight, isEnd] =
      action.type === 'toolCall/contentAppended'
        ? [action.toolCallId, weightOf(action.content), false]
        : 'fields' in action && 'toolCallId' in action.fields
          ? [action.fields.toolCallId, broughtBy(action), isFinal(action.fields)]
          : [];
    if (id === undefined || weight === undefined) return action;
    const used = this.#of(id);
    used[isEnd ? 'ended' : 'running'] += weight;
    this.#used.set(id, used);
    return action;
  }
}

function isFinal({ status }: ToolCallFields): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function withBlock<T extends ThreadAction & { readonly content: DecodedBlock }>(action: T, content: DecodedBlock): T {
  return content === action.content ? action : { ...action, content };
}

/** Cuts a list to a number of characters, with the last fitting item cut, and notes how much was left out. */
function cutList<T extends object>(
  items: readonly T[],
  room: number,
  cut: (item: T, room: number) => T,
  marker: (text: string) => T,
): readonly T[] {
  if (weightOf(items) <= room) return items;
  const kept: T[] = [];
  let [used, left] = [0, 0];
  for (const item of items) {
    const weight = weightOf(item);
    if (left === 0 && used + weight <= room) {
      kept.push(item);
      used += weight;
    } else if (left === 0 && used < room) {
      const part = cut(item, room - used);
      kept.push(part);
      used = room;
    } else left += weight;
  }
  return left > 0 ? [...kept, marker(notStored(left))] : kept;
}

/** Cuts only text, since half of any other block would be invalid. */
function cutBlock(block: DecodedBlock, room: number): DecodedBlock {
  const weight = weightOf(block);
  if (weight <= room) return block;
  return textBlock(block.type === 'text' ? cutText(block.text, room) : notStored(weight));
}

function cutContent(item: ToolContent, room: number): ToolContent {
  const weight = weightOf(item);
  if (weight <= room) return item;
  return item.type === 'content'
    ? { type: 'content', content: cutBlock(item.content, room) }
    : textContent(notStored(weight));
}

function cutValue(value: unknown, room: number): unknown {
  const weight = weightOf(value);
  if (weight <= room) return value;
  return typeof value === 'string' ? cutText(value, room) : notStored(weight);
}

function cutText(text: string, room: number): string {
  if (text.length <= room) return text;
  return `${text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')}\n${notStored(text.length - room)}\n`;
}
