import type { ToolContent } from '../acp/decodeUpdate';
import { Vector } from '../base/vector';
import type { ThreadAction } from './actions';
import { broughtBy, notInMemory, textContent, weightOf } from './outputWeight';
import { type Entry, isOpen, type Part, type Thread, type ToolCall } from './thread';

/** Characters of what an agent has sent that one thread has in memory. */
export const maxInMemory = 64_000_000;
/** Of one entry at most this part of all, while it still grows. */
const ONE_OF = 8;
/** What is not worth letting go. */
const SMALL = 500;

/**
 * Bounds what one thread has in memory: the oldest output goes first, and stays in the transcript. Prompts of the user,
 * permission requests and the order of all entries stay. It weighs the thread now and then, so an update costs nothing.
 */
export class ThreadBudget {
  #brought = 0;

  constructor(private readonly limit: number = maxInMemory) {}

  /** The thread after an action: the same object where it is not too much. */
  after(action: ThreadAction, thread: Thread): Thread {
    this.#brought += broughtBy(action);
    if (this.#brought < this.limit / 4) return thread;
    this.#brought = 0;
    return lighter(thread, this.limit);
  }
}

function lighter(thread: Thread, limit: number): Thread {
  let all = 0;
  for (const entry of thread.entries) all += entryWeight(entry);
  if (all <= limit) return thread;
  let { entries } = thread;
  const put = (index: number, entry: Entry, next: Entry) => {
    all += entryWeight(next) - entryWeight(entry);
    entries = entries.set(index, next);
  };
  for (let index = 0; index < entries.length && all > limit / 2; index++) {
    const entry = entries.at(index)!;
    if (canEmpty(entry, index === entries.length - 1)) put(index, entry, emptied(entry));
  }
  // What is left still grows. Of that the end is what the user looks at.
  const most = limit / ONE_OF;
  for (let index = entries.length - 1; index >= 0 && all > limit / 2; index--) {
    const entry = entries.at(index)!;
    if (entryWeight(entry) > most && !waits(entry)) put(index, entry, shortened(entry, most));
  }
  return { ...thread, entries };
}

/** Nothing is added to it any more, and it does not wait for the user. */
function canEmpty(entry: Entry, isLast: boolean): boolean {
  if (entry.kind === 'toolCall') return !isOpen(entry) && !waits(entry);
  return (entry.kind === 'agentMessage' || entry.kind === 'thought' || entry.kind === 'compaction') && !isLast;
}

/** The user decides on it, and sees all of it. */
function waits(entry: Entry): boolean {
  return entry.kind === 'toolCall' && entry.permissions.length > 0;
}

function emptied(entry: Entry): Entry {
  const weight = entryWeight(entry);
  if (weight <= SMALL) return entry;
  if (entry.kind === 'toolCall') return withOutput(entry, [], weight);
  return 'parts' in entry ? { ...entry, parts: Vector.from([markerPart(weight)]) } : entry;
}

function shortened(entry: Entry, most: number): Entry {
  if (entry.kind === 'toolCall') {
    const kept = lastOf(entry.content, most);
    return withOutput(entry, kept, entryWeight(entry) - weightOf(kept));
  }
  if (entry.kind !== 'agentMessage' && entry.kind !== 'thought' && entry.kind !== 'compaction') return entry;
  const kept = lastOf([...entry.parts], most);
  return { ...entry, parts: Vector.from([markerPart(partsWeight(entry.parts) - weightOf(kept)), ...kept]) };
}

function withOutput(
  { rawInput, rawOutput: _output, ...call }: ToolCall,
  content: readonly ToolContent[],
  dropped: number,
): ToolCall {
  const terminals = call.content.filter((item) => item.type === 'terminal' && !content.includes(item));
  return {
    ...call,
    content: [textContent(notInMemory(dropped)), ...terminals, ...content],
    ...(rawInput !== undefined && weightOf(rawInput) <= SMALL ? { rawInput } : {}),
  };
}

function markerPart(dropped: number): Part {
  return { type: 'text', text: `${notInMemory(dropped)}\n\n`, continues: false };
}

function lastOf<T extends object>(items: readonly T[], most: number): readonly T[] {
  let start = items.length;
  for (let weight = 0; start > 0; start--) {
    weight += weightOf(items[start - 1]);
    if (weight > most) break;
  }
  return items.slice(start);
}

function entryWeight(entry: Entry): number {
  if (entry.kind === 'toolCall') return weightOf(entry.content) + weightOf(entry.rawInput) + weightOf(entry.rawOutput);
  return 'parts' in entry ? partsWeight(entry.parts) : 1;
}

/** A list of parts is another one after each chunk; its parts are not. */
function partsWeight(parts: Vector<Part>): number {
  let weight = 0;
  for (const part of parts) weight += weightOf(part);
  return weight;
}
