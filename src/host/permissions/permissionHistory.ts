import type * as vscode from 'vscode';
import { asObject, stringOf } from '../../acp/json';
import { withoutSecretText } from '../../permission/secretText';

/** Who answered: `stop` and `agent` are questions that nobody decided on, because they were withdrawn; `end`: the agent was lost. */
export type AnsweredBy = 'person' | 'rule' | 'stop' | 'agent' | 'end';

export interface PermissionRecord {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly agent: string;
  /** Title of the session, as it was; without what looks like a secret. */
  readonly session: string;
  /** The command, the files or else the title of what was asked; without what looks like a secret. */
  readonly what: string;
  /** The option's name; "" where none was chosen. */
  readonly answer: string;
  readonly allowed: boolean;
  readonly by: AnsweredBy;
  /** Names of the rules, where rules answered. */
  readonly rules?: readonly string[];
}

/** What is kept; older answers go. */
const maxRecords = 500;
const maxText = 1_000;
const key = 'parley.permissionHistory';

/** Every answer to a permission in this workspace, by whomever, newest last. */
export class PermissionHistory {
  constructor(private readonly state: vscode.Memento) {}

  add({ what, session, ...record }: PermissionRecord): void {
    const bounded: PermissionRecord = { ...record, session: withoutSecretText(session), what: withoutSecretText(what).slice(0, maxText) };
    void this.state.update(key, [...this.records, bounded].slice(-maxRecords));
  }

  get records(): readonly PermissionRecord[] {
    const stored = this.state.get<unknown>(key);
    // A file that somebody has edited must not break the list.
    return Array.isArray(stored) ? (stored as unknown[]).filter(isRecord) : [];
  }
}

function isRecord(value: unknown): value is PermissionRecord {
  const record = asObject(value);
  return typeof record['at'] === 'number' && ['agent', 'session', 'what', 'answer', 'by'].every((field) => stringOf(record[field]) !== undefined);
}
