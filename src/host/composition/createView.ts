import { Later } from '../../base/later';
import { DisposableStore } from '../../base/lifecycle';
import type { AttachmentsOptions } from '../attachments/messageAttachments';
import { DraftAttachments } from '../attachments/draftAttachments';
import type { ChatPanel } from '../panel/chatPanels';
import { PanelController } from '../panel/panelController';
import { PanelSource, type SharedSource } from '../panel/panelSource';
import { ThreadPanel } from '../panel/threadPanel';
import type { PanelServices } from '../panel/viewParts';
import { isWithin } from '../../node/isWithin';
import type { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { Basis } from './basis';

/** What all views have in common. */
export interface ViewServices {
  readonly source: SharedSource;
  readonly acts: PanelServices;
  readonly attachments: Pick<AttachmentsOptions, 'store' | 'terminals'> & {
    /** @param shown the id of the session that gets the context */
    readonly workspace: (shown: () => string) => AttachmentsOptions['workspace'];
  };
}

/** Where a session's context is looked for: an agent may have named another folder than those in its reach. */
function folderOf({ cwd, roots }: LiveSession): string {
  return roots.some((root) => isWithin(cwd, root)) ? cwd : (roots[0] ?? cwd);
}

/**
 * What belongs to one view alone: its webview with the one who writes to it, and the draft.
 * @param show brings the view to the front
 * @param own makes the state of a view that does not show a whole session
 */
export function createView(
  { context, clock, log, storage }: Basis,
  { source: shared, acts, attachments: attaching }: ViewServices,
  view: ChatView,
  show: () => PromiseLike<unknown> | void,
  own?: (view: ChatView, shared: SharedSource) => PanelSource,
): ChatPanel & { readonly draft: DraftAttachments } {
  const store = new DisposableStore();
  const { onDidSwitch } = acts.chat.sessions.views;
  const draft = store.add(
    new DraftAttachments({
      store: attaching.store,
      state: storage.state,
      session: () => view.session.session,
      draftKey: () => view.draftKey,
      onDidSwitch,
    }),
  );
  const source = store.add(
    own?.(view, shared) ??
      new PanelSource(view, shared, [{ changes: [draft.onDidChange], piece: () => ({ attachments: draft.views }) }]),
  );
  const panel = store.add(new ThreadPanel(context.extensionUri, source, clock, log, show));
  const attachments = store.add(
    new Later(async () => {
      const { Attachments } = await import('../attachments/messageAttachments');
      return new Attachments({
        ...attaching,
        workspace: attaching.workspace(() => view.session.id),
        draft,
        place: () => {
          const { roots, worktree } = view.session;
          return { cwd: folderOf(view.session), roots, worktree };
        },
        reveal: () => panel.reveal(),
        deliver: (message) => panel.deliver(message),
      });
    }),
  );
  store.add(new PanelController({ view, panel, source, attachments, draftAttachments: draft }, acts));
  store.add(source.onDidChange(() => panel.publisher.mark()));
  store.add(onDidSwitch((change) => change.view === view && panel.publisher.reset()));
  return { view, panel, attachments, draft, dispose: () => store.dispose() };
}
