import type * as vscode from 'vscode';

const KEY = 'parley.leftSessions';
/** Sessions that Reopen finds, at most. */
const MAX_LEFT = 20;

/** The sessions that views showed before, by our own ids, for Reopen. They outlive the window. */
export class LeftSessions {
  /** The one that was left last is at the end. */
  #ids: readonly string[];

  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#ids = state.get<readonly string[]>(KEY, []);
  }

  /** The one that was left last. */
  get last(): string | undefined {
    return this.#ids.at(-1);
  }

  /** A session was left just now. */
  add(id: string): void {
    this.#set([...this.#ids.filter((other) => other !== id), id].slice(-MAX_LEFT));
  }

  /** A session is shown again, or gone. */
  remove(id: string): void {
    if (this.#ids.includes(id)) this.#set(this.#ids.filter((other) => other !== id));
  }

  #set(ids: readonly string[]): void {
    this.#ids = ids;
    void this.state.update(KEY, ids);
  }
}
