import nodePath from 'node:path';
import { usualPath } from '../../../base/fileNames';
import { beforeByRegions, beforeByWholeDiff } from '../../../changes/diskRules';
import { TurnEvidence } from '../../../thread/turnEvidence';
import type { TurnMark } from '../stored/beforeImages';
import { isWithin } from '../../../node/isWithin';
import { pathKey } from '../../files/pathPolicy';
import { type ContentInHand, contentOfText } from '../../storage/contentInHand';

/** One turn of an agent, with the evidence from its tool calls. */
export interface DiskTurn {
  readonly sessionId: string;
  /** Stored here, because changes of this turn may be found during the next one. */
  readonly mark: TurnMark;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** When its preparation began, epoch ms. */
  readonly startedAt: number;
  /** When the prompt was sent, epoch ms; undefined until then. */
  sentAt: number | undefined;
  /** When the bytes of the agent's answer were read, epoch ms. */
  endedAt: number | undefined;
  /** When its last running command ended, epoch ms; undefined while one runs. */
  restedAt: number | undefined;
  readonly evidence: TurnEvidence;
  /**
   * Keys of paths in the followed folders, by the agent's spelling. A cache, because each changed file is compared with
   * all of the agent's paths.
   */
  readonly places: Map<string, string>;
}

/** When a file changed, epoch ms. */
export interface ChangeTime {
  /** The latest possible time. */
  readonly at: number;
  /** The possible time before `at`; 0 if the file itself has the time of the change. */
  readonly early: number;
  /**
   * A second possible time. A deletion leaves only two hints: the time of the folder, which later changes in the folder
   * move on, and that of the event, which may belong to an earlier change of the file. The two are not a range: a
   * command that ran between them explains neither, so the change is the agent's only if both times fit.
   */
  readonly orAt?: number;
  /**
   * When the file was created, and when its content changed, if that was earlier: someone else has changed it since.
   */
  readonly alsoAt?: readonly number[];
}

/** The attribution of a change in a turn: to the agent, or to nobody for lack of evidence. */
export interface Claim {
  readonly turn: DiskTurn;
  readonly isAgents: boolean;
}

/** The clocks of file system and host may differ by this much. Milliseconds. */
export const SKEW_MS = 1_000;
/**
 * The times of files lag behind: they are those of the system's last tick, which is late on a busy machine.
 * Milliseconds.
 */
const LAG_MS = 50;
/** Some file systems count times in whole seconds. Milliseconds. */
const SECOND_MS = 1_000;

/** The turns of all sessions that are followed now, or that ended recently. */
export class DiskTurns {
  readonly #turns: DiskTurn[] = [];

  /** @param own the spelling of a path in the followed folders; undefined outside of them. */
  constructor(private readonly own: (path: string) => string | undefined) {}

  /** True while an agent works, or a command that it left running. */
  get isRunning(): boolean {
    return this.#turns.some(({ restedAt }) => restedAt === undefined);
  }

  /** True while an agent works. */
  get isWorking(): boolean {
    return this.#turns.some(({ endedAt }) => endedAt === undefined);
  }

  /** The sessions of turns that run, or that left a command running. */
  get unrested(): string[] {
    return [...new Set(this.#turns.flatMap(({ restedAt, sessionId }) => (restedAt === undefined ? [sessionId] : [])))];
  }

  /** @param startedAt epoch ms @param mark see `DiskTurn.mark` */
  begin(sessionId: string, cwd: string, roots: readonly string[], startedAt: number, mark: TurnMark): DiskTurn {
    const turn: DiskTurn = {
      sessionId,
      mark,
      cwd,
      roots: roots.map((root) => nodePath.normalize(root)),
      startedAt,
      sentAt: undefined,
      endedAt: undefined,
      restedAt: undefined,
      evidence: new TurnEvidence(startedAt),
      places: new Map(),
    };
    this.#turns.push(turn);
    return turn;
  }

  /** The prompt of a session is sent, or its agent has begun by itself. Earlier changes are not the agent's. */
  sent(sessionId: string, at: number): void {
    const turn = this.running(sessionId);
    if (!turn || turn.sentAt !== undefined) return;
    turn.sentAt = at;
    turn.evidence.heard(at);
  }

  running(sessionId: string): DiskTurn | undefined {
    return this.#turns.findLast((turn) => turn.sessionId === sessionId && turn.endedAt === undefined);
  }

  /**
   * Ends the running turns of a session. A turn that was stopped before it began may still be among them.
   * @param runsOn a command of the session still runs
   */
  end(sessionId: string, at: number, runsOn = false): DiskTurn[] {
    const ended = this.#turns.filter((turn) => turn.sessionId === sessionId && turn.endedAt === undefined);
    for (const turn of ended) {
      turn.endedAt = at;
      if (!runsOn) turn.restedAt = at;
      turn.evidence.end(at);
    }
    return ended;
  }

  /** The commands that a session's turns left running have ended. @returns true if there were any */
  rest(sessionId: string, at: number): boolean {
    const left = this.#turns.filter(
      (turn) => turn.sessionId === sessionId && turn.endedAt !== undefined && turn.restedAt === undefined,
    );
    for (const turn of left) turn.restedAt = at;
    return left.length > 0;
  }

  /** The window has ended, and with it all turns. */
  endAll(at: number): void {
    for (const { sessionId } of this.#turns) {
      this.end(sessionId, at);
      this.rest(sessionId, at);
    }
  }

  /**
   * Attributes a change. Undefined if no agent worked then: it was made by the user, or by a program of the user's.
   * @param before the earlier content, if known. @param after the present content
   */
  claim(path: string, before: ContentInHand | undefined, after: ContentInHand, when: ChangeTime): Claim | undefined {
    const times = [when, ...(when.orAt === undefined ? [] : [{ at: when.orAt, early: 0 }])].map(({ at, early }) => ({
      // Times of messages are truncated to whole milliseconds; those of files are not.
      since: at - early - 1,
      until: at + (early === 0 && Number.isInteger(at / SECOND_MS) ? SECOND_MS : LAG_MS),
    }));
    // A file that existed when the prompt was sent was not deleted before that.
    const timesIn = ({ sentAt }: DiskTurn) => times.filter(({ until }, i) => i === 0 || until >= sentAt!);
    const possible = this.#turns.filter(
      (turn) =>
        turn.sentAt !== undefined &&
        turn.roots.some((root) => isWithin(path, root)) &&
        timesIn(turn).some(
          ({ since, until }) => until >= turn.sentAt! - SKEW_MS && since <= (turn.restedAt ?? Infinity),
        ),
    );
    const within = possible.filter((turn) =>
      timesIn(turn).every(({ since, until }) => until >= turn.sentAt! && since <= (turn.endedAt ?? Infinity)),
    );
    const agents =
      within.findLast((turn) =>
        timesIn(turn).every(({ since }) => turn.evidence.names(this.#means(turn, path), since)),
      ) ??
      within.findLast((turn) => timesIn(turn).every(({ since, until }) => turn.evidence.ran(since, until))) ??
      this.#turns.findLast((turn) => this.#isShown(turn, path, before, after));
    if (agents) return { turn: agents, isAgents: true };
    const turn =
      within.at(-1) ??
      possible.at(-1) ??
      this.#turns.findLast(
        (other) => when.alsoAt?.some((at) => isIn(other, at)) && other.roots.some((root) => isWithin(path, root)),
      );
    return turn && { turn, isAgents: false };
  }

  /** True if an editing tool call of the turn names this file. */
  isNamed(turn: DiskTurn, path: string): boolean {
    return turn.evidence.edited.some(this.#means(turn, path));
  }

  /** The earlier text of a file, calculated from the diffs of tool calls, if there is no better source. */
  before(path: string, content: ContentInHand): ContentInHand | undefined {
    if (content.kind !== 'text') return undefined;
    const diffs = this.#turns.flatMap((turn) => turn.evidence.diffsOf(this.#means(turn, path)));
    const text = beforeByWholeDiff(diffs, content.text) ?? beforeByRegions(diffs, content.text);
    return text === undefined ? undefined : contentOfText(text);
  }

  /** The files that a turn's tool calls, or one of them, report as changed. */
  edited(turn: DiskTurn, toolCallId?: string): string[] {
    const spelled = toolCallId === undefined ? turn.evidence.edited : turn.evidence.editedBy(toolCallId);
    return spelled.flatMap((path) => this.own(nodePath.resolve(turn.cwd, usualPath(path))) ?? []);
  }

  /** A diff attributes a change to the agent even if the change is found long after the turn. */
  #isShown(turn: DiskTurn, path: string, before: ContentInHand | undefined, after: ContentInHand): boolean {
    return (
      turn.sentAt !== undefined &&
      after.kind === 'text' &&
      turn.evidence.shows(this.#means(turn, path), before?.kind === 'text' ? before.text : undefined, after.text)
    );
  }

  /** A predicate: does the agent's spelling of a path mean this file? */
  #means(turn: DiskTurn, path: string): (spelled: string) => boolean {
    const place = pathKey(this.own(path) ?? path);
    return (spelled) => (turn.places.get(spelled) ?? this.#placeOf(turn, spelled)) === place;
  }

  #placeOf({ cwd, places }: DiskTurn, spelled: string): string {
    const full = nodePath.resolve(cwd, usualPath(spelled));
    const own = this.own(full);
    // The target of a link may become known later, so only a path in a followed folder is cached.
    if (own !== undefined) places.set(spelled, pathKey(own));
    return pathKey(own ?? full);
  }
}

function isIn({ sentAt, endedAt }: DiskTurn, at: number): boolean {
  return sentAt !== undefined && at >= sentAt && at <= (endedAt ?? Infinity);
}
