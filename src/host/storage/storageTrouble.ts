import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { StorageTroubleView } from '../../protocol/viewModel';
import { remedyFor, wordsFor } from './diskWords';

/** Data that cannot be written. A conversation belongs to the named session. */
export type Unsaved =
  | { readonly what: 'conversation'; readonly sessionId: string }
  | { readonly what: 'changes' | 'state' | 'answers' };

/** How long until a failed write is retried automatically. */
const againMs = 5_000;

interface Trouble {
  readonly unsaved: Unsaved;
  readonly error: unknown;
  /** Absolute. */
  readonly folder: string;
  /** Tries to write it again, and reports the result. */
  readonly again: () => void;
}

/**
 * Tracks data that Parley currently cannot write to its storage. Each writer of lasting data reports a failure here,
 * keeps the data in memory, and reports a later success. The user sees one notice for all of it; it is retried
 * automatically.
 */
export class StorageTrouble extends Disposable {
  readonly #troubles = new Map<string, Trouble>();
  readonly #again: Coalescer;
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #beginEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;
  /** A write failed, and all earlier ones have succeeded. */
  readonly onDidBegin = this.#beginEmitter.event;

  constructor(clock: Clock) {
    super();
    this.#again = this.register(new Coalescer(clock, againMs, () => this.retry()));
  }

  /** @param folder of the data, absolute @param again tries it again, and reports the result */
  failed(unsaved: Unsaved, error: unknown, folder: string, again: () => void): void {
    const isFirst = this.#troubles.size === 0;
    this.#troubles.set(keyOf(unsaved), { unsaved, error, folder, again });
    this.#again.schedule();
    this.#changeEmitter.fire();
    if (isFirst) this.#beginEmitter.fire();
  }

  /** It was written, or is no longer wanted. */
  ended(unsaved: Unsaved): void {
    if (!this.#troubles.delete(keyOf(unsaved))) return;
    if (this.#troubles.size === 0) this.#again.cancel();
    this.#changeEmitter.fire();
  }

  /** Retries everything now. Renewed failures are reported. */
  retry(): void {
    this.#again.cancel();
    for (const { again } of [...this.#troubles.values()]) again();
    if (this.#troubles.size > 0) this.#again.schedule();
  }

  /** The one notice for all of it, in a view of a session. @param sessionId undefined outside of any */
  view(sessionId: string | undefined): StorageTroubleView | undefined {
    const all = [...this.#troubles.values()];
    const own = all.find(({ unsaved }) => unsaved.what === 'conversation' && unsaved.sessionId === sessionId);
    // Data that cannot be recreated comes first.
    const main =
      own ??
      (['changes', 'conversation', 'answers', 'state'] as const).flatMap(
        (what) => all.find(({ unsaved }) => unsaved.what === what) ?? [],
      )[0];
    if (!main) return undefined;
    const others = new Set(
      all.filter(({ unsaved }) => unsaved.what !== main.unsaved.what).map(({ unsaved }) => nameOf(unsaved)),
    );
    return {
      title: titleOf(main.unsaved, own !== undefined, wordsFor(main.error)),
      detail: [
        ...(others.size > 0 ? [l10n.t('Also not saved: {0}.', [...others].join(', '))] : []),
        l10n.t('Parley keeps it in memory until this window closes, and tries again to save it.'),
        remedyFor(main.error, main.folder),
      ].join(' '),
    };
  }
}

function keyOf(unsaved: Unsaved): string {
  return unsaved.what === 'conversation' ? `conversation ${unsaved.sessionId}` : unsaved.what;
}

function titleOf({ what }: Unsaved, isShown: boolean, why: string): string {
  switch (what) {
    case 'conversation':
      return isShown
        ? l10n.t('This conversation is not being saved: {0}.', why)
        : l10n.t('Another conversation is not being saved: {0}.', why);
    case 'changes':
      return l10n.t('Pending changes are not being saved: {0}.', why);
    case 'answers':
      return l10n.t('Your answers to permission requests are not being saved: {0}.', why);
    case 'state':
      return l10n.t('Drafts and the session list are not being saved: {0}.', why);
  }
}

function nameOf({ what }: Unsaved): string {
  switch (what) {
    case 'conversation':
      return l10n.t('conversations');
    case 'changes':
      return l10n.t('pending changes');
    case 'answers':
      return l10n.t('answers to permission requests');
    case 'state':
      return l10n.t('drafts and the session list');
  }
}
