import type * as vscode from 'vscode';
import { asObject, stringOf } from '../../base/decode';

const KEY = 'parley.promptHistory';
const MAX_PROMPTS = 100;

interface SentPrompt {
  readonly text: string;
  /** Undefined for one of an earlier version. */
  readonly session?: string;
}

/**
 * The texts that the user has sent in this workspace, for the arrow keys of the message box. They outlive the window,
 * and go with their session.
 */
export class SentPrompts {
  /** The newest is at the end. */
  #prompts: readonly SentPrompt[];
  #texts: readonly string[];

  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {
    const saved = state.get<unknown>(KEY);
    this.#prompts = (Array.isArray(saved) ? (saved as unknown[]) : []).flatMap((raw) => decodePrompt(raw) ?? []);
    this.#texts = this.#prompts.map(({ text }) => text);
  }

  get all(): readonly string[] {
    return this.#texts;
  }

  add(text: string, session: string): void {
    if (text.trim() !== '' && this.#texts.at(-1) !== text)
      this.#set([...this.#prompts, { text, session }].slice(-MAX_PROMPTS));
  }

  /** A session was deleted. What an earlier version kept may be of that one, too. */
  forget(session: string): void {
    this.#set(this.#prompts.filter((prompt) => prompt.session !== undefined && prompt.session !== session));
  }

  #set(prompts: readonly SentPrompt[]): void {
    this.#prompts = prompts;
    this.#texts = prompts.map(({ text }) => text);
    void this.state.update(KEY, prompts.length === 0 ? undefined : prompts);
  }
}

function decodePrompt(raw: unknown): SentPrompt | undefined {
  if (typeof raw === 'string') return { text: raw };
  const { text, session } = asObject(raw);
  return typeof text === 'string'
    ? { text, ...(stringOf(session) === undefined ? {} : { session: session as string }) }
    : undefined;
}
