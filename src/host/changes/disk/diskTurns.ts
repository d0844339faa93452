import nodePath from 'node:path';
import { beforeByRegions, beforeByWholeDiff } from '../../../changes/diskRules';
import { TurnFiles } from '../../../thread/turnFiles';
import type { TurnMark } from '../beforeImages';
import type { FileContent } from './diskContent';
import { isWithin } from '../../../node/isWithin';

/** One turn of an agent, and the files that its tool calls name. */
export interface DiskTurn {
  readonly sessionId: string;
  /** Kept here, because changes of this turn may be found during the next one. */
  readonly mark: TurnMark;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Epoch ms. */
  readonly startedAt: number;
  endedAt: number | undefined;
  readonly files: TurnFiles;
  /** Where paths in folders that are followed lie, by the agent's spelling: a formatter's files are held against all of them. */
  readonly places: Map<string, string>;
}

/** How far the clocks of file system and host may be apart. Milliseconds. */
export const SKEW_MS = 1_000;

/** The turns of all sessions that are followed now, or were just now. */
export class DiskTurns {
  readonly #turns: DiskTurn[] = [];

  /** @param own the spelling of a path in the folders that are followed; undefined outside of them. */
  constructor(private readonly own: (path: string) => string | undefined) {}

  get isRunning(): boolean {
    return this.#turns.some(({ endedAt }) => endedAt === undefined);
  }

  begin(sessionId: string, cwd: string, roots: readonly string[], startedAt: number, mark: TurnMark): void {
    this.#turns.push({ sessionId, mark, cwd, roots: roots.map((root) => nodePath.normalize(root)), startedAt, endedAt: undefined, files: new TurnFiles(), places: new Map() });
  }

  running(sessionId: string): DiskTurn | undefined {
    return this.#turns.findLast((turn) => turn.sessionId === sessionId && turn.endedAt === undefined);
  }

  /** Ends what runs in a session. One that was stopped before it had begun is still among it when the next begins. */
  end(sessionId: string, at: number): DiskTurn[] {
    const ended = this.#turns.filter((turn) => turn.sessionId === sessionId && turn.endedAt === undefined);
    for (const turn of ended) turn.endedAt = at;
    return ended;
  }

  /** The turn that a change at this moment belongs to: of several the one whose agent names the file, or runs a command. */
  at(path: string, at: number, slackMs: number): DiskTurn | undefined {
    const possible = this.#turns.filter(({ roots, startedAt, endedAt }) => at >= startedAt - SKEW_MS && at <= (endedAt ?? at) + slackMs && roots.some((root) => isWithin(path, root)));
    return possible.findLast((turn) => this.isEdited(turn, path)) ?? possible.findLast(({ files }) => files.hasCommand) ?? possible.findLast(({ startedAt }) => at >= startedAt) ?? possible.at(-1);
  }

  /** Whether a call of the turn that changes files by itself names this one. */
  isEdited(turn: DiskTurn, path: string): boolean {
    return turn.files.isEdited(this.#means(turn, path));
  }

  /** What the diffs of tool calls tell of a file before it held this, where nothing else does. */
  before(path: string, content: FileContent): FileContent | undefined {
    if (content.kind !== 'text') return undefined;
    const diffs = this.#turns.flatMap((turn) => turn.files.diffsOf(this.#means(turn, path)));
    const text = beforeByWholeDiff(diffs, content.text) ?? beforeByRegions(diffs, content.text);
    return text === undefined ? undefined : { kind: 'text', text };
  }

  /** The files that calls of a turn have changed, as far as they tell; those of one call. */
  edited(turn: DiskTurn, toolCallId?: string): string[] {
    const spelled = toolCallId === undefined ? turn.files.edited : turn.files.editedBy(toolCallId);
    return spelled.flatMap((path) => this.own(nodePath.resolve(turn.cwd, path)) ?? []);
  }

  /** Tells whether a spelling of the agent means this file. */
  #means(turn: DiskTurn, path: string): (spelled: string) => boolean {
    const place = this.own(path) ?? path;
    return (spelled) => (turn.places.get(spelled) ?? this.#placeOf(turn, spelled)) === place;
  }

  #placeOf({ cwd, places }: DiskTurn, spelled: string): string {
    const full = nodePath.resolve(cwd, spelled);
    const own = this.own(full);
    // It may turn out later where a link leads.
    if (own !== undefined) places.set(spelled, own);
    return own ?? full;
  }
}
