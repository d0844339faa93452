import type { FoundFile } from '../../src/protocol/messages';

/** The pause in typing before a question: one question per word, not per letter. */
const DELAY_MS = 60;

/** Asks the host for files; only the answer to the latest question counts. */
export class FileQuery {
  files: readonly FoundFile[] = [];
  searching = false;
  #text: string | undefined;
  #id = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (queryId: number, text: string) => void,
    private readonly onDidChange: () => void,
  ) {}

  /** Searches for `text`. Earlier results stay visible until the new ones arrive. */
  search(text: string): void {
    if (this.#text === text) return;
    this.#text = text;
    this.searching = true;
    clearTimeout(this.#timer);
    // A pending answer is to another question.
    const id = ++this.#id;
    this.#timer = setTimeout(() => this.ask(id, text), DELAY_MS);
  }

  answer(queryId: number, files: readonly FoundFile[]): void {
    if (queryId !== this.#id || this.#text === undefined) return;
    this.files = files;
    this.searching = false;
    this.onDidChange();
  }

  /** Cancels the search: there is nothing to complete. */
  cancel(): void {
    if (this.#text === undefined) return;
    clearTimeout(this.#timer);
    this.#text = undefined;
    this.files = [];
    this.searching = false;
  }
}
