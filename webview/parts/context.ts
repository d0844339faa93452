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

/** What a part may use besides the view it draws. */
export interface PartContext {
  readonly ui: UiState;
  /** After an answer nothing else is answered for a moment. */
  readonly answers: AnswerPause;
  /** Which permission requests have been in view. */
  readonly sight: CardVisibility;
  post(message: FromWebview): void;
  panel(): PanelView;
  terminal(id: string): TerminalView | undefined;
  /** What became of the changes to a file; the entry is drawn again when that changes. */
  fileState(path: string, id: EntryId): FileStateView | undefined;
  /** Puts what the user wrote into the message box, because what it was for is gone. */
  keepText(text: string): void;
  /** Tells a screen reader what only a picture shows. */
  announce(text: string): void;
  /** How the subagent of a call is doing; `undefined` where it has none. */
  subagent(id: EntryId): SubagentState | undefined;
  /** The user opens or closes what stands below an entry: it stays where it is until they scroll. */
  hold(id: EntryId): void;
  /** Draws an entry again in the next frame, e.g. because it was opened. */
  redraw(id: EntryId): void;
  log(error: unknown): void;
}

/** One entry on screen. Knows how to follow its view; holds no state that the view or `UiState` has. */
export interface EntryPart<V extends EntryView = EntryView> {
  readonly element: HTMLElement;
  /** Takes over a new view of the same entry. */
  update(view: V): void;
  /** Text was appended to `content[part]`. */
  append?(part: number, text: string): void;
  /**
   * Draws text that came with `update` and `append`.
   * @param near false when the entry is built far from the viewport
   * @returns whether there is more to draw in the next frame
   */
  draw?(deadline: Deadline, near: boolean): boolean;
}
