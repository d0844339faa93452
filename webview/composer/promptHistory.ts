/** Recalls earlier prompts, newest first, and returns to the typed text at the end. */
export class PromptHistory {
  #index: number | undefined;
  #draft = '';
  #recalled: string | undefined;

  /** True if the text is a recalled one that was not edited. */
  isBrowsing(text: string): boolean {
    return this.#index !== undefined && text === this.#recalled;
  }

  /** The prompt before the current one, or `undefined` when there is none. */
  older(history: readonly string[], text: string): string | undefined {
    if (!this.isBrowsing(text)) {
      this.#index = undefined;
      this.#draft = text;
    }
    const next = (this.#index ?? history.length) - 1;
    if (next < 0) return undefined;
    return this.#recall(next, history[next]!);
  }

  /** The prompt after the current one; after the newest comes the draft. */
  newer(history: readonly string[], text: string): string | undefined {
    if (!this.isBrowsing(text)) return undefined;
    const next = this.#index! + 1;
    if (next < history.length) return this.#recall(next, history[next]!);
    this.reset();
    return this.#draft;
  }

  reset(): void {
    this.#index = undefined;
    this.#recalled = undefined;
  }

  #recall(index: number, text: string): string {
    this.#index = index;
    this.#recalled = text;
    return text;
  }
}
