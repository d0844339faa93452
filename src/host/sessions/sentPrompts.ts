import type * as vscode from 'vscode';

const KEY = 'parley.promptHistory';
const MAX_PROMPTS = 100;

/** The texts that the user has sent in this workspace, for the arrow keys of the message box. They outlive the window. */
export class SentPrompts {
  /** The newest is at the end. */
  #texts: readonly string[];

  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#texts = state.get<readonly string[]>(KEY, []);
  }

  get all(): readonly string[] {
    return this.#texts;
  }

  add(text: string): void {
    if (text.trim() === '' || this.#texts.at(-1) === text) return;
    this.#texts = [...this.#texts, text].slice(-MAX_PROMPTS);
    void this.state.update(KEY, this.#texts);
  }
}
