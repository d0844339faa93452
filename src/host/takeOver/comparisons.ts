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
  /** Epoch ms. */
  readonly at: number;
}

const key = 'parley.comparisons';
/** Older ones are forgotten; their sessions and worktrees stay. */
const maxKept = 50;

/** The comparisons of this workspace, the newest first. */
export class Comparisons {
  constructor(private readonly state: vscode.Memento) {}

  get all(): readonly Comparison[] {
    const kept = this.state.get<unknown>(key);
    return (Array.isArray(kept) ? (kept as unknown[]) : []).flatMap((raw) => decodeComparison(raw) ?? []);
  }

  /** The comparison that a session belongs to. */
  of(sessionId: string): Comparison | undefined {
    return this.all.find(({ sessions }) => sessions.includes(sessionId));
  }

  async add(title: string, sessions: readonly string[], at: number): Promise<Comparison> {
    const comparison = { id: randomUUID(), title, sessions, at };
    await this.state.update(key, [comparison, ...this.all].slice(0, maxKept));
    return comparison;
  }

  async remove(id: string): Promise<void> {
    await this.state.update(
      key,
      this.all.filter((other) => other.id !== id),
    );
  }
}

/** Stored values may be of another version, or damaged. */
function decodeComparison(raw: unknown): Comparison | undefined {
  const value = asObject(raw);
  const [id, title, at] = [stringOf(value['id']), stringOf(value['title']), numberOf(value['at'])];
  const sessions = Array.isArray(value['sessions']) ? (value['sessions'] as unknown[]) : [];
  if (id === undefined || title === undefined || at === undefined) return undefined;
  return { id, title, at, sessions: sessions.flatMap((session) => stringOf(session) ?? []) };
}
