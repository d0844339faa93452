import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { mergeTexts } from '../../changes/lineEdits';
import { withLineFeeds } from '../../changes/lineFeeds';
import { isSameSnapshot, type KeptBytes, type Snapshot, type UnclaimedChange } from '../../changes/wholeChange';
import type { UnclaimedChangeView, UnclaimedView } from '../../protocol/changeView';
import type { TurnMark } from './beforeImages';
import { contentOf, type FileContent, lookNow } from './disk/diskContent';
import { heldIn } from './checkpoints/fileMoment';
import type { KeptFiles } from './keptFiles';
import { recordContent } from './recordContent';
import type { ReviewService } from './reviewService';

/** For all unclaimed changes together. Larger ones are listed, but cannot be included. Bytes. */
const MAX_BYTES = 200 * 1024 * 1024;
/** Rows in the panel. */
const MAX_SHOWN = 100;

/** Names an unclaimed change. */
export interface UnclaimedTarget {
  readonly sessionId: string;
  readonly path: string;
}

export interface UnclaimedChangesOptions {
  readonly review: () => ReviewService;
  readonly kept: KeptFiles;
  /** Saves all that is known, a moment later. */
  readonly schedule: () => void;
}

/** The unclaimed changes of all sessions, by session and path. The saved review has them too. */
export class UnclaimedChanges extends Disposable {
  readonly #changes = new Map<string, UnclaimedChange>();
  readonly #views = new Map<string, UnclaimedView>();
  /** Of all bytes that were stored since the list was empty. */
  #size = 0;
  readonly #emitter = this.register(new Emitter<{ readonly sessionId: string }>());

  readonly onDidChange = this.#emitter.event;

  constructor(private readonly options: UnclaimedChangesOptions) {
    super();
  }

  /** All, those that were found first first. */
  get all(): readonly UnclaimedChange[] {
    return [...this.#changes.values()];
  }

  /** The same of one session. */
  of(sessionId: string): readonly UnclaimedChange[] {
    return this.all.filter((change) => change.sessionId === sessionId);
  }

  /** The same as the panel shows them; undefined where there are none. */
  view(sessionId: string): UnclaimedView | undefined {
    const known = this.#views.get(sessionId);
    if (known) return known;
    const changes = this.of(sessionId);
    if (changes.length === 0) return undefined;
    const view = {
      files: changes.length,
      changes: changes.slice(0, MAX_SHOWN).map(({ path, before, after }) => ({
        path,
        label: this.options.review().labelOf(sessionId, path),
        kind: kindOf(before, after),
      })),
    };
    this.#views.set(sessionId, view);
    return view;
  }

  /** The bytes that the saved review must not lose. */
  get bytes(): readonly KeptBytes[] {
    return this.all.flatMap(({ before, after }) =>
      [before, after].flatMap((snapshot) =>
        snapshot && snapshot.kind !== 'absent' && snapshot.kept ? [snapshot.kept] : [],
      ),
    );
  }

  /** Takes over what was saved; what came since is newer. */
  restore(saved: readonly UnclaimedChange[]): void {
    for (const change of saved) if (!this.#changes.has(keyOf(change))) this.#changes.set(keyOf(change), change);
    for (const sessionId of new Set(saved.map((change) => change.sessionId))) this.#changed(sessionId);
  }

  /**
   * A file changed. Of several changes in a row what was there before the first of them counts.
   * @param before undefined where nobody knows
   */
  add(
    sessionId: string,
    path: string,
    before: FileContent | undefined,
    after: FileContent,
    { turn, prompt }: TurnMark,
  ): void {
    const key = keyOf({ sessionId, path });
    const known = this.#changes.get(key);
    const first = known ? known.before : before && this.#keep(before);
    const now = this.#keep(after);
    if (first && isSameSnapshot(first, now)) this.#changes.delete(key);
    else this.#changes.set(key, { sessionId, path, before: first, after: now, turn, prompt });
    this.#changed(sessionId);
  }

  /**
   * The user says, or it turns out, that changes are the agent's: they are pending from now on.
   * @returns why files could not be included, in words; those stay.
   */
  async include(targets: readonly UnclaimedTarget[]): Promise<string[]> {
    const problems: string[] = [];
    for (const target of targets) {
      const change = this.#changes.get(keyOf(target));
      if (!change) continue;
      this.#changes.delete(keyOf(target));
      try {
        await this.#include(change);
      } catch (error) {
        this.#changes.set(keyOf(target), change);
        const { sessionId, path } = target;
        problems.push(
          l10n.t(
            'Parley could not include {0}: {1}.',
            this.options.review().labelOf(sessionId, path),
            error instanceof Error ? error.message : String(error),
          ),
        );
      }
    }
    for (const sessionId of new Set(targets.map((target) => target.sessionId))) this.#changed(sessionId);
    return problems;
  }

  /** The user does not want to see changes any more. The files stay as they are. */
  dismiss(targets: readonly UnclaimedTarget[]): void {
    for (const target of targets) this.#changes.delete(keyOf(target));
    for (const sessionId of new Set(targets.map((target) => target.sessionId))) this.#changed(sessionId);
  }

  /**
   * What a file held before, and what it held then; undefined for what is not kept, or was no text.
   * @throws Error where the copy is gone
   */
  async texts({
    path,
    before,
    after,
  }: UnclaimedChange): Promise<readonly [before: string | undefined, after: string | undefined]> {
    const textOf = async (snapshot: Snapshot | undefined) => {
      const content = snapshot && (await this.#contentOf(path, snapshot));
      return content?.kind === 'text' ? content.text : undefined;
    };
    return [await textOf(before), await textOf(after)];
  }

  async #include(change: UnclaimedChange): Promise<void> {
    const { sessionId, path, turn, prompt } = change;
    const review = this.options.review();
    const mark = { turn, prompt };
    const before = change.before && (await this.#contentOf(path, change.before));
    const after = await this.#contentOf(path, change.after);
    if (before === undefined || before.kind === 'binary' || after.kind === 'binary') {
      const { value } = await lookNow(path);
      if (value.kind === 'file')
        recordContent({ review, kept: this.options.kept }, sessionId, path, before, value.content, mark);
      return;
    }
    const { text } = await review.look(path);
    const now = text === undefined ? undefined : withLineFeeds(text);
    const [old, fresh] = [before, after].map((content) => (content.kind === 'text' ? content.text : undefined));
    if (old !== undefined && fresh !== undefined && now !== undefined && now !== fresh) {
      // The file has changed since: only what changed then is the agent's.
      const { text: base, conflicts } = mergeTexts(fresh, now, old);
      if (conflicts.length > 0) throw new Error(l10n.t('the same lines were changed again'));
      return review.recordChange(sessionId, path, base, now, mark);
    }
    recordContent({ review, kept: this.options.kept }, sessionId, path, before, after, mark);
    if (now !== fresh) await review.refresh(sessionId, path);
  }

  /** A list may have thousands of files, so the bytes are counted as they come. */
  #keep(content: FileContent): Snapshot {
    if (content.kind === 'absent') return content;
    const size = content.bytes?.length ?? (content.kind === 'text' ? content.text.length : (content.copy?.size ?? 0));
    if (this.#size + size > MAX_BYTES) return heldIn(content);
    this.#size += size;
    return this.options.kept.keep(content, []);
  }

  /** @throws Error where the bytes are not kept */
  async #contentOf(path: string, snapshot: Snapshot): Promise<FileContent> {
    if (snapshot.kind === 'absent') return snapshot;
    const { kind, digest, mode, kept, isDecoded } = snapshot;
    if (kind === 'binary' && !kept) return { kind, digest, mode };
    if (!kept) throw new Error(l10n.t('it was too large to be stored'));
    const bytes = await this.options.kept.bytes.read(kept);
    return isDecoded
      ? { kind: 'text', text: bytes.toString('utf8'), mode }
      : contentOf(path, bytes, mode, bytes.length);
  }

  #changed(sessionId: string): void {
    if (this.#changes.size === 0) this.#size = 0;
    this.#views.delete(sessionId);
    this.options.schedule();
    this.#emitter.fire({ sessionId });
  }
}

function kindOf(before: Snapshot | undefined, after: Snapshot): UnclaimedChangeView['kind'] {
  return after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
}

function keyOf({ sessionId, path }: UnclaimedTarget): string {
  return `${sessionId} ${path}`;
}
