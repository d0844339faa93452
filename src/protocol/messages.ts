import type { EntryId } from './entryId';
import type { ViewPatch } from './patch';
import type { FoundLine } from './sessionsView';
import type { SyncStamp } from './sync';
import type { MentionView, PanelUiState, ThreadView } from './viewModel';

/** Characters; longer text belongs in a file. The panel refuses it before it clears the box, and so does the host. */
export const maxPromptLength = 1_000_000;
/** The most files that a prompt names with @. */
export const maxMentions = 200;

/** Host → webview. */
export type ToWebview =
  | {
      readonly type: 'thread/snapshot';
      readonly stamp: SyncStamp;
      readonly view: ThreadView;
      readonly ui: PanelUiState;
    }
  | { readonly type: 'thread/patch'; readonly stamp: SyncStamp; readonly patches: readonly ViewPatch[] }
  /** Answer to `files/query` with the same `queryId`. Best match first. */
  | { readonly type: 'files/found'; readonly queryId: number; readonly files: readonly FoundFile[] }
  /** Answer to `paths/query`: the paths that exist. */
  | { readonly type: 'paths/found'; readonly paths: readonly string[]; readonly existing: readonly string[] }
  /** Answer to `snippet/query`: the line of the first match, from 1; absent if it is not certain. */
  | { readonly type: 'snippet/found'; readonly queryId: number; readonly line?: number }
  /** Restores a prompt to the box, before any text typed since. */
  | {
      readonly type: 'draft/restore';
      readonly text: string;
      readonly mentions: readonly MentionView[];
      /** Only where nothing was typed. */ readonly ifEmpty?: true;
    }
  /** Puts an earlier prompt into the box, to be replaced by the edited one. */
  | {
      readonly type: 'draft/edit';
      readonly entryId: string;
      readonly text: string;
      readonly mentions: readonly MentionView[];
    }
  /**
   * Asks the webview to make an image file ready to send; answered by `attachment/add` or `image/refused`. `data` is
   * base64.
   */
  | {
      readonly type: 'image/prepare';
      readonly requestId: number;
      readonly name: string;
      readonly mimeType: string;
      readonly data: string;
    }
  /** A notification sound for something out of sight. `volume` is above 0 and at most 1. */
  | { readonly type: 'sound/play'; readonly sound: SoundName; readonly volume: number }
  /** Shows a text over the message box until the user types. */
  | { readonly type: 'composer/say'; readonly text: string }
  /** Scrolls to an entry of the shown thread, because the user asked for it. */
  | { readonly type: 'entry/reveal'; readonly entryId: EntryId; /** Where to go in it. */ readonly found?: FoundLine }
  /**
   * Moves the focus into the message box, or onto the oldest pending question (never directly onto an option's button),
   * or into Find. `unread`: onto the question that the commands answer, and to its part that was not visible, since the
   * user must read it first.
   */
  | { readonly type: 'focus/set'; readonly target: 'composer' | 'question' | 'unread' | 'find' };

export type SoundName = 'waiting' | 'finished' | 'failed';

export interface FoundFile {
  readonly path: string;
  readonly name: string;
  /** Folder, relative to the workspace; "" at its top. */
  readonly folder: string;
  readonly isFolder: boolean;
}
