import type { ToolContent } from '../acp/decodeUpdate';
import { Vector } from '../base/vector';
import type { ThreadAction } from './actions';
import { broughtBy, notInMemory, textContent, weightOf } from './outputWeight';
import { type Entry, isOpen, type Part, type Thread, type ToolCall } from './thread';

/** The most characters of an agent's output that one thread keeps in memory. */
export const maxInMemory = 64_000_000;
/** The largest share of one entry that still grows. */
const ONE_OF = 8;
/** Smaller output is not worth dropping. */
const SMALL = 500;

/**
 * Limits one thread's memory: the oldest output is dropped first, and stays in the transcript. The user's prompts,
 * permission requests and the order of entries stay. The thread is weighed only now and then, so that updates stay
 * cheap.
 */
export class ThreadBudget {
  #brought = 0;

  constructor(private readonly limit: number = maxInMemory) {}

  /** The thread after an action: the same object if it is within the limit. */
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
  // The remaining output still grows; the user looks at its end.
  const most = limit / ONE_OF;
  for (let index = entries.length - 1; index >= 0 && all > limit / 2; index--) {
    const entry = entries.at(index)!;
    if (entryWeight(entry) > most && !waits(entry)) put(index, entry, shortened(entry, most));
  }
  return { ...thread, entries };
}

/** True if an entry is complete and not pending, so that its output can be dropped. */
function canEmpty(entry: Entry, isLast: boolean): boolean {
  if (entry.kind === 'toolCall') return !isOpen(entry) && !waits(entry);
  return (entry.kind === 'agentMessage' || entry.kind === 'thought' || entry.kind === 'compaction') && !isLast;
}

/** True if the user must decide on it, and so must see all of it. */
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

/** A list of parts is a new object after each chunk; its parts stay the same. */
function partsWeight(parts: Vector<Part>): number {
  let weight = 0;
  for (const part of parts) weight += weightOf(part);
  return weight;
}
