import type { EntryView } from '../../src/protocol/entryView';

/**
 * The prompt that a restored conversation left in the box. Once it is in the conversation again, the box can drop it.
 */
export class ReturnedPrompt {
  #text: string | undefined;
  #times = 0;

  /** @param entries of the conversation without it */
  came(text: string, entries: Iterable<EntryView>): void {
    this.#text = text;
    this.#times = timesIn(text, entries);
  }

  /** @returns whether the text in the box is in the conversation again */
  isBack(box: string, entries: Iterable<EntryView>): boolean {
    if (this.#text === undefined) return false;
    if (box !== this.#text) this.#text = undefined;
    else if (timesIn(box, entries) > this.#times) {
      this.#text = undefined;
      return true;
    }
    return false;
  }
}

function timesIn(text: string, entries: Iterable<EntryView>): number {
  let times = 0;
  for (const entry of entries)
    if (
      entry.kind === 'userMessage' &&
      entry.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') === text
    )
      times++;
  return times;
}
