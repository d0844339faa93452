import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { type Content, isSameContent } from '../../changes/content';
import { mergeTexts } from '../../changes/merge';
import { isUnder, movedPath } from '../../changes/movedFiles';
import type { UnclaimedChange } from '../../changes/wholeChange';
import type { UnclaimedChangeView, UnclaimedView } from '../../protocol/changeView';
import type { TurnMark } from './stored/beforeImages';
import { lookNow, readStored } from '../files/readContent';
import { described, type ReviewContents, storedSize } from './stored/reviewContents';
import type { ReviewService } from './reviewService';
import { type ContentInHand, contentOfText, textIn } from '../storage/contentInHand';

/** The limit for all unclaimed changes together, in bytes. Beyond it, changes are listed but cannot be included. */
const MAX_BYTES = 200 * 1024 * 1024;
/** The most rows in the panel. */
const MAX_SHOWN = 100;

/** Identifies an unclaimed change. */
export interface UnclaimedTarget {
  readonly sessionId: string;
  readonly path: string;
}

export interface UnclaimedChangesOptions {
  readonly review: () => ReviewService;
  readonly contents: ReviewContents;
  /** Saves the review a moment later. */
  readonly schedule: () => void;
}

/** The unclaimed changes of all sessions, by session and path. They are saved with the review. */
export class UnclaimedChanges extends Disposable {
  readonly #changes = new Map<string, UnclaimedChange>();
  readonly #views = new Map<string, UnclaimedView>();
  /** Total size of the contents that were stored since the list was empty. */
  #size = 0;
  readonly #emitter = this.register(new Emitter<{ readonly sessionId: string }>());

  readonly onDidChange = this.#emitter.event;

  constructor(private readonly options: UnclaimedChangesOptions) {
    super();
  }

  /** All unclaimed changes in the order in which they were found. */
  get all(): readonly UnclaimedChange[] {
    return [...this.#changes.values()];
  }

  /** The unclaimed changes of one session. */
  of(sessionId: string): readonly UnclaimedChange[] {
    return this.all.filter((change) => change.sessionId === sessionId);
  }

  /** The panel's view of them; undefined if there are none. */
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

  /** Takes over saved changes. Changes added since are newer. */
  restore(saved: readonly UnclaimedChange[]): void {
    for (const change of saved) if (!this.#changes.has(keyOf(change))) this.#changes.set(keyOf(change), change);
    this.#changed(saved);
  }

  /**
   * A file changed. Of several changes in a row, the content before the first one is stored.
   * @param before undefined if it is unknown
   */
  add(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    { turn, prompt }: TurnMark,
  ): void {
    const key = keyOf({ sessionId, path });
    const known = this.#changes.get(key);
    const first = known ? known.before : before && this.#store(before);
    const now = this.#store(after);
    if (first && isSameContent(first, now)) this.#changes.delete(key);
    else this.#changes.set(key, { sessionId, path, before: first, after: now, turn, prompt });
    this.#changed([{ sessionId }]);
  }

  /**
   * Attributes changes to the agent, because the user says so or because of new evidence: they become pending.
   * @returns for each file that could not be included, the reason in words; these files stay in the list.
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
            messageOf(error),
          ),
        );
      }
    }
    this.#changed(targets);
    return problems;
  }

  /** The user dismisses changes. The files stay as they are. */
  dismiss(targets: readonly UnclaimedTarget[]): void {
    for (const target of targets) this.#changes.delete(keyOf(target));
    this.#changed(targets);
  }

  /** The user renamed a file or a folder. */
  moved(from: string, to: string): void {
    const moved = this.all.filter(({ path }) => isUnder(path, from));
    for (const change of moved) this.#changes.delete(keyOf(change));
    for (const change of moved) {
      const path = movedPath(change.path, from, to);
      this.#changes.set(keyOf({ ...change, path }), { ...change, path });
    }
    this.#changed(moved);
  }

  /**
   * The texts before and after the change: "" for no file, undefined for a content that is not stored, or is not text.
   * @throws Error if the stored copy is missing
   */
  async texts({
    path,
    before,
    after,
  }: UnclaimedChange): Promise<readonly [before: string | undefined, after: string | undefined]> {
    const textOf = async (content: Content | undefined) =>
      content?.kind === 'absent' ? '' : content && textIn(await this.#read(path, content));
    return [await textOf(before), await textOf(after)];
  }

  async #include(change: UnclaimedChange): Promise<void> {
    const { sessionId, path, turn, prompt } = change;
    const review = this.options.review();
    const mark = { turn, prompt };
    const before = change.before && (await this.#read(path, change.before));
    const after = await this.#read(path, change.after);
    if (before === undefined || before.kind === 'binary' || after.kind === 'binary') {
      const { value } = await lookNow(path);
      if (value.kind === 'file') review.record(sessionId, path, before, value.content, mark);
      return;
    }
    const now = textIn(await review.look(path));
    const [old, fresh] = [before, after].map(textIn);
    if (old !== undefined && fresh !== undefined && now !== undefined && now !== fresh) {
      // The file has changed again since: only the first change is the agent's.
      const { text: base, overlaps } = mergeTexts(fresh, now, old);
      if (overlaps.length > 0) throw new Error(l10n.t('the same lines were changed again'));
      return review.record(sessionId, path, contentOfText(base), contentOfText(now), mark);
    }
    review.record(sessionId, path, before, after, mark);
    if (now !== fresh) await review.refresh(sessionId, path);
  }

  /** A list may have thousands of files, so the total is updated with each content and not calculated anew. */
  #store(content: ContentInHand): Content {
    const size = storedSize(content);
    if (this.#size + size > MAX_BYTES) return described(content);
    this.#size += size;
    return this.options.contents.contents.store(content);
  }

  /** @throws Error if the bytes are not stored */
  #read(path: string, content: Content): Promise<ContentInHand> {
    return readStored(path, content, this.options.contents.contents);
  }

  #changed(targets: readonly Pick<UnclaimedTarget, 'sessionId'>[]): void {
    if (this.#changes.size === 0) this.#size = 0;
    for (const sessionId of new Set(targets.map((target) => target.sessionId))) {
      this.#views.delete(sessionId);
      this.#emitter.fire({ sessionId });
    }
    if (targets.length > 0) this.options.schedule();
  }
}

function kindOf(before: Content | undefined, after: Content): UnclaimedChangeView['kind'] {
  return after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
}

function keyOf({ sessionId, path }: UnclaimedTarget): string {
  return `${sessionId} ${path}`;
}
