import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import { isObject } from '../base/json';

/** Words of a command that are checked as file names. A longer line is not checked further. */
const MAX_WORDS = 60;
/** Names of inputs in which known agents give a path. */
const PATH_INPUTS = ['file_path', 'filePath', 'filepath', 'path', 'abs_path', 'notebook_path'] as const;
/** The most time spans of one call; further ones are joined into the last one. */
const MAX_SPANS = 1_000;

type ToolDiff = Extract<ToolContent, { type: 'diff' }>;
type IsPath = (spelled: string) => boolean;

/** A span in which a call ran, epoch ms. `to` is Infinity while it runs. */
interface Span {
  readonly from: number;
  to: number;
}

interface Call {
  kind: NonNullable<ToolCallFields['kind']>;
  /** In the agent's spelling. */
  paths: readonly string[];
  diffs: readonly ToolDiff[];
  failed: boolean;
  /** `asked`: it waits for the user and does not run. `refused`: it runs only if the agent says so anyway. */
  state: 'announced' | 'running' | 'asked' | 'refused' | 'over';
  readonly spans: Span[];
  /** When the agent sent another message, just before the first one about this call. */
  readonly toldAfter: number;
  /** The user's last answer; the call had no effect before it. */
  notBefore: number;
}

/** When an agent's message was read, epoch ms. `since`: the earliest time at which the agent can have sent it. */
export interface Heard {
  readonly since: number;
  readonly at: number;
}

/**
 * The evidence of one turn's tool calls and commands about files: the files that they name, and when they ran. A change
 * without such evidence cannot be attributed to the agent.
 */
export class TurnEvidence {
  readonly #calls = new Map<string, Call>();
  /** Pending requests, by id. */
  readonly #asked = new Map<string, Call>();
  /** Commands in Parley's terminals, by terminal. */
  readonly #commands = new Map<string, Span>();
  #heardAt: number;

  /** @param sentAt when the prompt was sent, epoch ms */
  constructor(sentAt: number) {
    this.#heardAt = sentAt;
  }

  /** The agent sent a message other than a call. A call that is first mentioned when it is over ran after this time. */
  heard(at: number): void {
    this.#heardAt = at;
  }

  /** A call was announced or updated. @returns the paths that it now names, which may be relative. */
  take(fields: ToolCallFields, heard: Heard): readonly string[] {
    const call = this.#named(fields);
    const { status } = fields;
    if (status === 'completed' || status === 'failed') this.#over(call, status, heard);
    else if (status === 'in_progress' && call.state !== 'asked')
      this.#run(call, heard.since, call.state === 'announced');
    else if (call.state === 'announced' || (call.state === 'over' && status === 'pending')) this.#announce(call, heard);
    this.#heardAt = heard.at;
    return call.paths;
  }

  /** The agent asks the user about a call, which does not run meanwhile. @returns as `take` */
  asks(requestId: string, fields: ToolCallFields, { at }: Heard): readonly string[] {
    const call = this.#named(fields);
    close(call, at);
    call.state = 'asked';
    this.#asked.set(requestId, call);
    this.#heardAt = at;
    return call.paths;
  }

  /** The user or a rule answered. @param isAllowed also false if the request was withdrawn */
  answered(requestId: string, isAllowed: boolean, at: number): void {
    const call = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (!call || call.state !== 'asked') return;
    call.notBefore = at;
    if (isAllowed) this.#run(call, at);
    else call.state = 'refused';
  }

  /** A rule answered for a call that was never shown. @returns as `take` */
  ruled(fields: ToolCallFields, isAllowed: boolean, heard: Heard): readonly string[] {
    const paths = this.asks('rule', fields, heard);
    this.answered('rule', isAllowed, heard.since);
    return paths;
  }

  /** A command in one of Parley's terminals began or ended. */
  command(terminalId: string, isRunning: boolean, at: number): void {
    const span = this.#commands.get(terminalId);
    if (!span && isRunning) this.#commands.set(terminalId, { from: at, to: Infinity });
    else if (span && !isRunning) span.to = Math.min(span.to, at);
  }

  /** The turn has ended, and so have its open calls. */
  end(at: number): void {
    for (const call of this.#calls.values()) close(call, at);
    for (const span of this.#commands.values()) span.to = Math.min(span.to, at);
  }

  /** True if a call or a command ran between `from` and `to`, epoch ms. */
  ran(from: number, to: number): boolean {
    const isThen = (span: Span) => span.from <= to && span.to >= from;
    return (
      [...this.#commands.values()].some(isThen) || [...this.#calls.values()].some(({ spans }) => spans.some(isThen))
    );
  }

  /**
   * True if a call that changes files by itself names this file, and may have changed it by then.
   * @param isPath tells whether the agent's spelling means the file.
   * @param at the latest time of the change, epoch ms
   */
  names(isPath: IsPath, at: number): boolean {
    return [...this.#calls.values()].some((call) => {
      const last = call.spans.at(-1);
      return (
        !call.failed &&
        last !== undefined &&
        at >= Math.max(call.toldAfter, call.notBefore) &&
        at <= last.to &&
        isNamed(call, isPath)
      );
    });
  }

  /**
   * True if a diff of a call shows that the agent changed `before` to the current content. Texts with `
   * ` line ends; `before` undefined if it is unknown.
   */
  shows(isPath: IsPath, before: string | undefined, after: string): boolean {
    const lines = (text: string) => text.replaceAll('\r\n', '\n');
    return [...this.#calls.values()].some(
      ({ diffs, failed, spans }) =>
        !failed &&
        spans.length > 0 &&
        diffs.some(({ path, oldText, newText }) => {
          if (newText === '' || !isPath(path)) return false;
          const fresh = lines(newText);
          if (fresh === after) return true;
          return (
            before !== undefined &&
            oldText !== null &&
            oldText !== '' &&
            before.replace(lines(oldText), () => fresh) === after
          );
        }),
    );
  }

  /** Diffs of one file in the order of the calls, without failed ones. */
  diffsOf(isPath: IsPath): ToolDiff[] {
    return [...this.#calls.values()].flatMap(({ diffs, failed }) =>
      failed ? [] : diffs.filter(({ path }) => isPath(path)),
    );
  }

  /** Paths named by calls that change files or show a diff. */
  get edited(): string[] {
    return [...this.#calls.values()].flatMap(namedByChange);
  }

  /** The same for one call. */
  editedBy(toolCallId: string): readonly string[] {
    const call = this.#calls.get(toolCallId);
    return call ? namedByChange(call) : [];
  }

  /** A call may only be announced before it is in progress, but many agents never send that status. */
  #announce(call: Call, { since }: Heard): void {
    call.state = 'announced';
    if (!isOpen(call)) add(call, since);
  }

  #run(call: Call, since: number, wasAnnounced = false): void {
    if (wasAnnounced && isOpen(call)) call.spans.pop();
    call.state = 'running';
    if (!isOpen(call)) add(call, since);
  }

  #over(call: Call, status: 'completed' | 'failed', { at }: Heard): void {
    // A call that the user did not allow has not run, unless the agent says so.
    const hasRun = call.state === 'announced' || (['asked', 'refused'].includes(call.state) && status === 'completed');
    if (hasRun && !isOpen(call)) add(call, Math.max(call.toldAfter, call.notBefore));
    close(call, at);
    call.state = 'over';
  }

  #named(fields: ToolCallFields): Call {
    const known = this.#calls.get(fields.toolCallId);
    const call: Call = known ?? {
      kind: 'other',
      paths: [],
      diffs: [],
      failed: false,
      state: 'announced',
      spans: [],
      toldAfter: this.#heardAt,
      notBefore: -Infinity,
    };
    if (fields.kind !== undefined) call.kind = fields.kind;
    if (fields.status !== undefined) call.failed = fields.status === 'failed';
    if (fields.content !== undefined) {
      const diffs = fields.content.filter((item) => item.type === 'diff');
      // An update with only text does not contradict an earlier diff.
      if (diffs.length > 0) call.diffs = diffs;
    }
    const named = [
      ...(fields.locations ?? []).map(({ path }) => path),
      ...call.diffs.map(({ path }) => path),
      ...inputPaths(fields.rawInput),
    ];
    call.paths = [...new Set([...call.paths, ...named])];
    this.#calls.set(fields.toolCallId, call);
    return call;
  }
}

function isOpen({ spans }: Call): boolean {
  return spans.at(-1)?.to === Infinity;
}

function add({ spans }: Call, from: number): void {
  if (spans.length < MAX_SPANS) spans.push({ from, to: Infinity });
  else spans.at(-1)!.to = Infinity;
}

function close({ spans }: Call, at: number): void {
  const last = spans.at(-1);
  if (last?.to === Infinity) last.to = at;
}

function isNamed({ kind, paths, diffs }: Call, isPath: IsPath): boolean {
  return diffs.some(({ path }) => isPath(path)) || (['edit', 'delete', 'move'].includes(kind) && paths.some(isPath));
}

function namedByChange({ kind, paths, diffs }: Call): readonly string[] {
  return ['edit', 'delete', 'move'].includes(kind) ? paths : diffs.map(({ path }) => path);
}

function inputPaths(input: unknown): string[] {
  if (!isObject(input)) return [];
  const paths = PATH_INPUTS.map((key) => input[key]).filter((value) => typeof value === 'string');
  return [...paths, ...wordsOf(input['command'])];
}

/** Words of a command that may be file names. Enough to check whether such a file exists, without parsing the line. */
function wordsOf(command: unknown): string[] {
  const line = Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : command;
  if (typeof line !== 'string') return [];
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"'|&;<>()]+/g) ?? [];
  return words
    .slice(0, MAX_WORDS)
    .map((word) => word.replaceAll(/^["']|["']$/g, ''))
    .filter((word) => word !== '' && !word.startsWith('-') && word.length < 1_000);
}
