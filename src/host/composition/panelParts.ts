import * as vscode from 'vscode';
import type { Event } from '../../base/event';
import { changesOf, type Later } from '../../base/later';
import { summarise } from '../../view/changeRows';
import { demoAgentName, sendWith } from '../agents/agentSettings';
import type { CurrentFile } from '../attachments/currentFile';
import type { Gallery } from '../gallery/gallery';
import type { Starters } from '../gallery/starters';
import type { FollowAgent } from '../panel/followAgent';
import type { PanelPart } from '../panel/panelSource';
import type { DismissedWindows } from '../sessions/dismissedWindows';
import type { SessionList } from '../sessions/sessionList';
import type { StorageTrouble } from '../storage/storageTrouble';
import type { BackgroundWork } from '../terminals/backgroundWork';
import type { Changes } from './changes';
import type { ReviewParts } from './createReview';
import type { Sessions } from './sessions';

const noFiles = [] as const;

/** What agents changed, and what the user decides about it. */
export function reviewParts(
  { review, service, unclaimed, checkpoints }: Changes,
  { panelReview, problems }: Pick<ReviewParts, 'panelReview' | 'problems'>,
  { views }: Sessions['service'],
): readonly PanelPart[] {
  const { open, kept, turns } = panelReview;
  return [
    {
      // Labels are relative to the folder of the active session.
      changes: [review.onDidChange, service.onDidChangeChanges, views.onDidSwitch, views.onDidUse],
      followsThread: true,
      piece: ({ id }) => summarise(review.changes(id)),
    },
    { changes: [unclaimed.onDidChange], followsThread: true, piece: ({ id }) => ({ unclaimed: unclaimed.view(id) }) },
    {
      changes: [checkpoints.onDidChange],
      followsThread: true,
      piece: ({ id }) => ({ checkpoints: checkpoints.view(id) }),
    },
    {
      changes: [changesOf(problems)],
      followsThread: true,
      piece: ({ id }) => ({ newProblems: problems.opened?.view(id) }),
    },
    {
      changes: [panelReview.onDidChange],
      followsThread: true,
      piece: ({ id }) => {
        const turnChanges = turns.ended(id);
        return {
          fileStates: open.opened?.tallies.of(id) ?? noFiles,
          notes: open.opened?.notes.view(id),
          kept: kept.view(id),
          turnChanges: turnChanges.length > 0 ? turnChanges : undefined,
        };
      },
    },
  ];
}

/** The pages that cover the conversation: the list of sessions and the gallery, in the side bar alone. */
export function pageParts(list: Later<SessionList>, gallery: Later<Gallery>, starters: Starters): readonly PanelPart[] {
  const icons = () => gallery.opened?.iconsByAgent ?? starters.icons;
  return [
    {
      changes: [changesOf(list), changesOf(gallery), starters.onDidChange],
      piece: ({ agent }, { tab }) => {
        const sessions = tab ? undefined : list.opened?.view;
        const shown = tab ? undefined : gallery.opened?.view;
        return {
          agentIcon: icons()?.[agent],
          sessions,
          agentIcons: sessions && icons(),
          gallery: shown,
          galleryIcons: shown && gallery.opened?.icons,
          starters: agent === '' || agent === demoAgentName ? starters.view : undefined,
        };
      },
    },
  ];
}

/** What belongs to a session besides its thread, and what is the same in all of them. */
export function sessionParts(
  { opening: { setup, options } }: Sessions,
  follow: Later<FollowAgent>,
  trouble: StorageTrouble,
  current: CurrentFile,
  dismissed: DismissedWindows,
): readonly PanelPart[] {
  const onDidChangeSettings: Event<unknown> = (listener) =>
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley') && listener(event));
  return [
    { changes: [setup.onDidChange], followsThread: true, piece: (live) => ({ setup: setup.view(live) }) },
    { changes: [options.onDidChange], piece: ({ agent }) => ({ favorites: options.favoritesOf(agent) }) },
    {
      changes: [changesOf(follow)],
      piece: ({ session }) => ({ follows: follow.opened?.follows(session.id) || undefined }),
    },
    { changes: [dismissed.onDidChange], piece: ({ agent }) => ({ dismissedWindows: dismissed.view(agent) }) },
    { changes: [trouble.onDidChange], piece: ({ id }) => ({ unsaved: trouble.view(id) }) },
    { changes: [current.onDidChange], piece: () => ({ currentFile: current.view }) },
    { changes: [onDidChangeSettings], piece: () => ({ sendWith: sendWith() }) },
  ];
}

/** What is at work beside the turn of the shown session. */
export function backgroundPart({ onDidOpen }: BackgroundWork): PanelPart {
  return {
    changes: [onDidOpen],
    followsThread: true,
    piece: ({ background }) => ({ background: background.length > 0 ? background : undefined }),
  };
}
