import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Deferred } from '../../base/deferred';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { userEnvironment } from '../../node/environment';
import { lastPromptAt, promptNumber, turnTitle } from '../../thread/threadTurns';
import { BaselineDocuments } from '../changes/baselineDocuments';
import { Checkpoints } from '../changes/stored/checkpoints';
import type { WindowSaves } from '../changes/disk/saveAnnouncer';
import { TurnFollower } from '../changes/disk/turnFollower';
import { Guards } from '../changes/guards';
import { KeepHistory } from '../changes/keepHistory';
import { ReviewContents } from '../changes/stored/reviewContents';
import { ReviewService } from '../changes/reviewService';
import { ReviewStore } from '../changes/reviewStore';
import { UnclaimedChanges } from '../changes/unclaimedChanges';
import { markedWindow } from '../platform/markedWindow';
import { Review } from '../review/review';
import { ContentStore } from '../storage/contentStore';
import { hasLog } from '../storage/windowStorage';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import type { Basis } from './basis';
import type { ContentInHand } from '../storage/contentInHand';
import type { Worktrees } from '../worktrees/worktrees';

export type Changes = ReturnType<typeof createChanges>;

/** What agents changed: recorded, kept over a restart, undone and restored. */
export function createChanges(
  { own, clock, log, storage: { folder: root, trouble } }: Basis,
  sessions: SessionDirectory,
  saves: WindowSaves,
  worktrees: Pick<Worktrees, 'at'>,
) {
  const { scope: scopes } = sessions;
  const baselines = own(new BaselineDocuments());
  const guards = own(new Guards((file) => worktrees.at(file)));
  const { isGuarded } = guards;
  const promptIn = (id: string) => lastPromptAt(sessions.find(id)?.session.thread);
  const told = new Map<string, number | undefined>();
  // Once for each prompt.
  const failed = (id: string, { message }: Error): void => {
    if (told.has(id) && told.get(id) === promptIn(id)) return;
    told.set(id, promptIn(id));
    sessions
      .find(id)
      ?.session.notify({ severity: 'warning', title: l10n.t('A crash may lose changes'), detail: message });
  };
  const folder = path.join(root, 'review');
  const stored = new ContentStore(path.join(root, 'contents'), log);
  // Loaded with the first prompt, or where an earlier window has left a log.
  const images = own(
    new Later(async () => {
      const { BeforeImages } = await import('../changes/stored/beforeImages');
      return new BeforeImages({ folder, contents: stored, turnOf: sessions.turnOf, promptOf: promptIn, failed, log });
    }),
  );
  const turnOf = (id: string) => sessions.turnOf(id) ?? images.opened?.turnLeft(id).turn;
  const promptOf = (id: string) => promptIn(id) ?? images.opened?.turnLeft(id).prompt;
  // What the store saves has to be there before it: it hears of changes, and is handed over to who waits for it.
  const changed = own(new Emitter<void>());
  const storing = new Deferred<ReviewStore>();
  const schedule = () => changed.fire();
  const open = async () => {
    const opened = await storing.promise;
    await opened.whenRead;
    return opened;
  };
  const contents = new ReviewContents(stored, { schedule, save: async () => (await open()).save() });
  const checkpoints = own(
    new Checkpoints({ folder: path.join(root, 'checkpoints'), contents: stored, promptOf, failed, clock, log }),
  );
  const announce = async (sessionId: string, file: string, before: ContentInHand) => {
    await open();
    return (await images.get()).writing(file, { sessionId, before });
  };
  const service = own(
    new ReviewService({
      scopes,
      baselines,
      clock,
      log,
      turnOf,
      dialogs: { confirm, report },
      storage: { contents, checkpoints, announce, settled: async () => (await storing.promise).settled() },
    }),
  );
  const unclaimed = own(new UnclaimedChanges({ review: () => service, contents, schedule }));
  const store = own(
    new ReviewStore({
      folder,
      contents: stored,
      parts: { review: () => service.saved, images: () => images.opened, beside: contents, unclaimed },
      clock,
      log,
      trouble,
    }),
  );
  storing.resolve(store);
  own(changed.event(() => store.schedule()));
  images.onDidOpen((opened) => own(opened.onDidIdle(schedule)));
  const disk = own(
    new TurnFollower({
      saves,
      sessions: { scopes, caughtUp: async (id) => sessions.find(id)?.session.caughtUp() },
      review: service,
      stored: { contents, unclaimed, images: () => images.get(), whenReady: () => store.whenRead },
      folders: { environment: userEnvironment, isGuarded },
      clock,
      log,
    }),
  );
  disk.onDidLoad((attribution) => (service.disk = attribution));
  const keeping = own(new KeepHistory(service, contents));
  const review = own(
    new Review(service, keeping, () => sessions.active.cwd, clock, {
      askGuarded: async (labels) => (await import('../review/confirmations')).askGuarded(labels),
      isGuarded,
      movedFrom: contents.renames.fromOf,
      askTied: async (tied) => (await import('../review/confirmations')).askTied(tied),
      turnName: (id, turn) => {
        const thread = sessions.find(id)?.session.thread;
        return turn === undefined
          ? { number: undefined, title: undefined }
          : { number: promptNumber(thread, turn), title: turnTitle(thread, turn) };
      },
      report,
    }),
  );
  own(guards.onDidChange(() => review.refresh()));
  return {
    guards,
    baselines,
    checkpoints,
    service,
    store,
    contents,
    unclaimed,
    disk,
    review,
    isGuarded,
    /** Takes over what an earlier window left. */
    restore: async () => {
      await store.open((saved, marks) =>
        service.restore(saved, async () => {
          const left = hasLog(folder) ? await (await images.get()).load() : [];
          if (left.length === 0) return [];
          const resumed = await disk.resume(left, marks);
          images.opened?.taken(resumed.taken);
          if (resumed.found > 0) tellFound(resumed.found);
          return resumed.unsaved;
        }),
      );
    },
    flushSync: () => store.flushSync(),
  };
}

/** Tells the user something that went wrong. */
export function report(message: string): void {
  void markedWindow.showWarningMessage(message);
}

/** @returns whether the user agreed to it. */
export async function confirm(message: string, action: string): Promise<boolean> {
  return (await markedWindow.showWarningMessage(message, { modal: true }, action)) === action;
}

/** Tells the user of changes that an agent, or somebody else, has made after a crash. */
function tellFound(files: number): void {
  const message =
    files === 1
      ? l10n.t(
          'A turn was interrupted, and 1 file changed while Parley was not running. Review the change: Undo restores the original.',
        )
      : l10n.t(
          'A turn was interrupted, and {0} files changed while Parley was not running. Review the changes: Undo restores the originals.',
          files,
        );
  void markedWindow.showInformationMessage(message);
}
