import type * as vscode from 'vscode';
import { asObject, stringOf } from '../../base/decode';
import { withoutSecretText } from '../../permission/secretText';

/**
 * The origin of an answer. The last four are not decisions: `stop` and `agent` withdrew it, at the `end` the agent's
 * process ended, and after too many `changes` Parley cancelled it.
 */
export type AnsweredBy = 'person' | 'rule' | 'stop' | 'agent' | 'end' | 'changes';

export interface PermissionRecord {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly agent: string;
  /** The name of the agent's subagent, if that asked; without text that looks like a secret. */
  readonly subagent?: string;
  /** Title of the session at that time; without text that looks like a secret. */
  readonly session: string;
  /** Parley's id of the session; absent in records of earlier versions. */
  readonly sessionId?: string;
  /**
   * The answered request: the command, or else the title with address and files; without text that looks like a secret.
   */
  readonly what: string;
  /** The protocol's kind of the tool call; absent in records of earlier versions, as are the fields below. */
  readonly kind?: string;
  /** The command was only known from the title. */
  readonly fromTitle?: true;
  /** Folder of the command and files, in the agent's spelling. */
  readonly cwd?: string;
  readonly paths?: readonly string[];
  /** The tool call's earlier values, if the request differed. */
  readonly before?: readonly string[];
  /** Further fields of the input, one each; without text that looks like a secret. */
  readonly further?: readonly string[];
  /** The number of the agent's changes while the request was pending. */
  readonly changes?: number;
  /** The option's name; "" if none was chosen. */
  readonly answer: string;
  readonly allowed: boolean;
  readonly by: AnsweredBy;
  /** Names of the rules, if rules answered. */
  readonly rules?: readonly string[];
}

/** The most records; older ones are removed. */
const maxRecords = 500;
const maxText = 1_000;
const maxPaths = 100;
const key = 'parley.permissionHistory';

/** Every answer to a permission request in this workspace, newest last. */
export class PermissionHistory {
  constructor(private readonly state: vscode.Memento) {}

  add({ what, session, subagent, before, further, paths, ...record }: PermissionRecord): void {
    const kept = (text: string) => withoutSecretText(text).slice(0, maxText);
    const bounded: PermissionRecord = {
      ...record,
      session: withoutSecretText(session),
      what: kept(what),
      ...(subagent === undefined ? {} : { subagent: kept(subagent) }),
      ...(paths ? { paths: paths.slice(0, maxPaths).map((path) => path.slice(0, maxText)) } : {}),
      ...(before ? { before: before.map(kept) } : {}),
      ...(further ? { further: further.map(kept) } : {}),
    };
    void this.state.update(key, [...this.records, bounded].slice(-maxRecords));
  }

  /** A session was deleted. Records of earlier versions only have its title. */
  forget({ id, agent, title }: { readonly id: string; readonly agent: string; readonly title: string }): void {
    const { records } = this;
    const left = records.filter((record) =>
      record.sessionId === undefined
        ? record.agent !== agent || record.session !== withoutSecretText(title)
        : record.sessionId !== id,
    );
    if (left.length < records.length) void this.state.update(key, left.length === 0 ? undefined : left);
  }

  get records(): readonly PermissionRecord[] {
    const stored = this.state.get<unknown>(key);
    // An edited file must not break the list.
    return Array.isArray(stored) ? (stored as unknown[]).filter(isRecord).sort((a, b) => a.at - b.at) : [];
  }
}

function isRecord(value: unknown): value is PermissionRecord {
  const record = asObject(value);
  const lists = ['rules', 'paths', 'before', 'further']
    .map((field) => record[field])
    .filter((list) => list !== undefined);
  if (!lists.every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'))) return false;
  if (record['subagent'] !== undefined && stringOf(record['subagent']) === undefined) return false;
  return (
    typeof record['at'] === 'number' &&
    ['agent', 'session', 'what', 'answer', 'by'].every((field) => stringOf(record[field]) !== undefined)
  );
}
