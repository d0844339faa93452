import { render } from 'lit-html';
import type { ToWebview } from '../../src/protocol/messages';
import type { MentionView, PanelView } from '../../src/protocol/viewModel';
import type { PartContext } from '../parts/context';
import { chips } from './chips';
import { DropTarget } from './dropTarget';
import { FileIntake } from './fileIntake';
import { droppedFiles, droppedUris, pastedFiles } from './transfer';

export interface AttachmentBarActions {
  readonly removeMention: (mention: MentionView) => void;
  readonly say: (text: string) => void;
  readonly focus: () => void;
}

/** What goes with the message: the chips over the box, and what is pasted into the box or dropped onto the panel. */
export class AttachmentBar {
  readonly element = document.createElement('div');
  private readonly files: FileIntake;
  private readonly target = new DropTarget((data) => this.drop(data));
  private mentions: readonly MentionView[] = [];
  private drawn: readonly unknown[] = [];

  constructor(
    private readonly context: PartContext,
    private readonly actions: AttachmentBarActions,
  ) {
    this.element.className = 'chips';
    this.files = new FileIntake(context, { say: actions.say, onDidChange: () => this.draw(this.context.panel()) });
  }

  /** Covers the panel while something is dragged over it. */
  get overlay(): HTMLElement {
    return this.target.element;
  }

  update(panel: PanelView, mentions: readonly MentionView[]): void {
    this.mentions = mentions;
    this.draw(panel);
  }

  /** Takes files out of a paste; text is left to the box. */
  handlePaste(event: ClipboardEvent): void {
    const files = event.clipboardData ? pastedFiles(event.clipboardData) : [];
    if (files.length === 0) return;
    event.preventDefault();
    this.files.add(files);
  }

  prepare(request: Extract<ToWebview, { type: 'image/prepare' }>): void {
    this.files.prepare(request);
  }

  private drop(data: DataTransfer): boolean {
    const uris = droppedUris(data);
    const files = uris.length > 0 ? [] : droppedFiles(data);
    if (uris.length > 0) this.context.post({ type: 'attachment/addUris', uris });
    else this.files.add(files);
    if (uris.length + files.length > 0) this.actions.focus();
    return uris.length + files.length > 0;
  }

  private draw(panel: PanelView): void {
    const state = [panel.attachments, panel.promptCapabilities, panel.agent, this.mentions, this.files.pending];
    if (state.every((value, i) => value === this.drawn[i])) return;
    this.drawn = state;
    const { context, actions } = this;
    render(
      chips(panel, this.mentions, this.files.pending, {
        removeMention: actions.removeMention,
        remove: ({ id }) => {
          context.post({ type: 'attachment/remove', id });
          actions.focus();
        },
        open: ({ id }) => context.post({ type: 'attachment/open', id }),
      }),
      this.element,
    );
  }
}
