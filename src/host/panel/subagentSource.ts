import type { EntryId } from '../../protocol/entryId';
import type { PanelUiState, PanelView } from '../../protocol/viewModel';
import type { Thread } from '../../thread/thread';
import { isInSubagent, subagentPanel } from '../../view/subagentView';
import type { ChatView } from '../sessions/chatViews';
import { PanelSource, type SharedSource } from './panelSource';

/** The state of a view with one subagent of a session: its call, open, and all below it. */
export class SubagentSource extends PanelSource {
  #ui: PanelUiState;

  /** @param call of the subagent */
  constructor(
    view: ChatView,
    shared: SharedSource,
    private readonly call: EntryId,
  ) {
    super(view, shared);
    this.#ui = { draft: '', mentions: [], expanded: { [call]: true, [`details:${call}`]: true } };
  }

  readonly shows = (thread: Thread, index: number): boolean => isInSubagent(thread, index, this.call);

  override panel(): PanelView {
    return subagentPanel(super.panel(), this.thread(), this.call);
  }

  override ui(): PanelUiState {
    return this.#ui;
  }

  /** Lasts as long as the view: there is no draft in it. */
  override saveUi(ui: PanelUiState): void {
    this.#ui = ui;
  }
}
