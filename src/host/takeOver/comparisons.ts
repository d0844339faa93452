import type * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { asObject, numberOf, stringOf } from '../../base/decode';

/** One prompt that several agents work on, each in a worktree of its own. */
export interface Comparison {
  readonly id: string;
  /** The first line of the prompt. */
  readonly title: string;
  /** Our own ids of the sessions, in the order of the user's choice. */
  readonly sessions: readonly string[];
  /** Of their agents, with their models where these were chosen. In the same order. */
  readonly names: readonly string[];
  /** Epoch ms. */
  readonly at: number;
}

const prefix = 'parley.comparison.';

/** The comparisons of this workspace. One key for each, so that two windows of a folder add to each other's. */
export class Comparisons {
  constructor(private readonly state: vscode.Memento) {}

  /** The comparison that a session belongs to. */
  of(sessionId: string): Comparison | undefined {
    return this.state
      .keys()
      .flatMap((key) => (key.startsWith(prefix) ? (decodeComparison(this.state.get(key)) ?? []) : []))
      .find(({ sessions }) => sessions.includes(sessionId));
  }

  /** @returns its id */
  async add(comparison: Omit<Comparison, 'id'>): Promise<string> {
    const id = randomUUID();
    await this.state.update(prefix + id, { id, ...comparison } satisfies Comparison);
    return id;
  }

  /** A session takes no part any more. */
  async leave(id: string, sessionId: string): Promise<void> {
    const comparison = decodeComparison(this.state.get(prefix + id));
    if (!comparison) return;
    const { sessions, names } = comparison;
    const isOther = (_: string, i: number) => sessions[i] !== sessionId;
    const rest = { sessions: sessions.filter(isOther), names: names.filter(isOther) };
    await this.state.update(prefix + id, { ...comparison, ...rest } satisfies Comparison);
  }

  async remove(id: string): Promise<void> {
    await this.state.update(prefix + id, undefined);
  }
}

/** Stored values may be of another version, or damaged. */
function decodeComparison(raw: unknown): Comparison | undefined {
  const value = asObject(raw);
  const [id, title, at] = [stringOf(value['id']), stringOf(value['title']), numberOf(value['at'])];
  const texts = (key: string) => (Array.isArray(value[key]) ? (value[key] as unknown[]) : []).map(stringOf);
  if (id === undefined || title === undefined || at === undefined) return undefined;
  const sessions = texts('sessions').flatMap((session) => session ?? []);
  const names = texts('names').flatMap((name) => name ?? []);
  return { id, title, at, sessions, names: names.length === sessions.length ? names : [] };
}
