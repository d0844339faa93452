import type { FromWebview } from '../../src/protocol/fromWebview';
import type { FileStateView } from '../../src/protocol/notesView';
import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import type { TerminalView } from '../../src/protocol/terminalView';
import type { PanelView } from '../../src/protocol/viewModel';
import type { Deadline } from '../lib/frame';
import type { UiState } from '../uiState';
import type { AnswerPause } from './answerDelay';
import type { CardVisibility } from './cardVisibility';
import type { SubagentState } from './subagents';

/** The services for a part, besides its view. */
export interface PartContext {
  readonly ui: UiState;
  /** After an answer, no other question can be answered for a moment. */
  readonly answers: AnswerPause;
  /** The permission requests that have been in view. */
  readonly sight: CardVisibility;
  post(message: FromWebview): void;
  panel(): PanelView;
  terminal(id: string): TerminalView | undefined;
  /** The state of the changes to a file; the entry is drawn again when that changes. */
  fileState(path: string, id: EntryId): FileStateView | undefined;
  /** Moves the user's text into the message box, because its request has ended. */
  keepText(text: string): void;
  /** Announces to a screen reader what is otherwise only visible. */
  announce(text: string): void;
  /** The state of a call's subagent; `undefined` if it has none. */
  subagent(id: EntryId): SubagentState | undefined;
  /** The user opens or closes the content below an entry: it keeps its position until they scroll. */
  hold(id: EntryId): void;
  /** Opens an entry and scrolls to it. */
  reveal(id: EntryId): void;
  /** Draws an entry again in the next frame, for example because it was opened. */
  redraw(id: EntryId): void;
  log(error: unknown): void;
}

/** One entry on screen. Follows its view; holds no state that the view or `UiState` has. */
export interface EntryPart<V extends EntryView = EntryView> {
  readonly element: HTMLElement;
  /** Takes over a new view of the same entry. */
  update(view: V): void;
  /** Text was appended to `content[part]`. */
  append?(part: number, text: string): void;
  /**
   * Draws text of `update` and `append`.
   * @param near false if the entry is built far from the viewport
   * @returns whether there is more to draw in the next frame
   */
  draw?(deadline: Deadline, near: boolean): boolean;
}
