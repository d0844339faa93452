import { agentTitle } from './agentTitle';
import { asObject, numberOf, stringOf, usableOf } from '../base/decode';

/** The fields of `SessionInfo` of the schema that Parley shows. */
export interface SessionInfo {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  /** Further folders in the latest answer; earlier answers do not count (item 69). */
  readonly additionalDirectories?: readonly string[];
  readonly title?: string;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  readonly isArchived?: boolean;
}

export interface SessionListPage {
  readonly sessions: readonly SessionInfo[];
  /** Opaque; absent on the last page. Never stored (item 68). */
  readonly nextCursor?: string;
}

/** Reads a `ListSessionsResponse`. An item without id or folder is skipped. Never throws. */
export function decodeSessionList(raw: unknown, issue: (text: string) => void): SessionListPage {
  const response = asObject(raw);
  const nextCursor = stringOf(response['nextCursor']);
  return {
    sessions: usableOf(decodeSessionInfo, issue, 'sessions')(response['sessions']) ?? [],
    ...(nextCursor ? { nextCursor } : {}),
  };
}

function decodeSessionInfo(raw: unknown): SessionInfo | undefined {
  const info = asObject(raw);
  const sessionId = stringOf(info['sessionId']);
  const cwd = stringOf(info['cwd']);
  if (sessionId === undefined || cwd === undefined) return undefined;
  // Some agents have no title, only the first line of the conversation.
  const title = [info['title'], asObject(info['_meta'])['preview']]
    .map((text) => agentTitle(stringOf(text)))
    .find((text) => text !== undefined);
  const updatedAt = timeIn(info['updatedAt']);
  const folders = usableOf(stringOf, () => {}, '')(info['additionalDirectories']) ?? [];
  return {
    sessionId,
    cwd,
    ...(folders.length === 0 ? {} : { additionalDirectories: folders }),
    ...(title === undefined ? {} : { title }),
    ...(Number.isNaN(updatedAt) ? {} : { updatedAt }),
    ...(info['archived'] === true ? { isArchived: true } : {}),
  };
}

/** Epoch milliseconds of a date, or of a number of seconds, milli-, micro- or nanoseconds. NaN for anything else. */
function timeIn(value: unknown): number {
  const number =
    typeof value === 'string' && /^\d{9,19}(?:\.\d+)?$/.test(value.trim()) ? Number(value) : numberOf(value);
  const at =
    number === undefined
      ? Date.parse(stringOf(value) ?? '')
      : number < 1e11
        ? number * 1_000
        : number < 1e14
          ? number
          : number / (number < 1e17 ? 1e3 : 1e6);
  // Some languages write a missing time as the first one that they can.
  return at > 0 ? Math.round(at) : Number.NaN;
}
