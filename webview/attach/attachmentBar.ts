import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import { deliveryRemark, maxUris } from '../../src/protocol/attachments';
import type { ToWebview } from '../../src/protocol/messages';
import type { MentionView, PanelView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from '../parts/context';
import { chips, shownName } from './chips';
import type { FileIntake } from './fileIntake';
import { droppedFiles, droppedUris, isAttachable, pastedFiles, pastedText } from './transfer';

/** While something is dragged over the panel, events come several times a second; without them, the drag has ended. */
const QUIET_MS = 1_000;

/**
 * Accepts drops anywhere in the panel, and shows that during a drag. VS Code does not pass its own drags to a webview
 * unless Shift is held.
 */
class DropTarget {
  readonly element = document.createElement('div');
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param drop takes the dropped data; false leaves it to the browser */
  constructor(private readonly drop: (data: DataTransfer) => boolean) {
    this.element.className = 'drop-overlay';
    this.element.hidden = true;
    render(
      html`<div class="drop-words">${icon('attach')}<span>${l10n.t('Drop to add to the message')}</span><span
        class="dim">${l10n.t('Hold Shift and drop to add to the message')}</span></div>`,
      this.element,
    );
    window.addEventListener('dragenter', (event) => this.#over(event));
    window.addEventListener('dragover', (event) => this.#over(event));
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && this.#hide());
    window.addEventListener('drop', (event) => this.#handleDrop(event));
  }

  #over(event: DragEvent): void {
    if (!event.dataTransfer || !isAttachable(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), QUIET_MS);
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.element.hidden = true;
  }

  #handleDrop(event: DragEvent): void {
    this.#hide();
    if (!event.dataTransfer || !isAttachable(event.dataTransfer)) return;
    // By default, the browser would navigate to the dropped item; only the box can handle a web address.
    if (this.drop(event.dataTransfer) || !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
  }
}

export interface AttachmentBarActions {
  readonly removeMention: (mention: MentionView) => void;
  readonly say: (text: string) => void;
  /** Tells the user why a file was not added. */
  readonly refuse: (text: string) => void;
  /** The host has all pasted or dropped files. */
  readonly added: () => void;
  readonly focus: () => void;
}

/**
 * The context of the message: the chips over the box, and files that are pasted into the box or dropped onto the panel.
 */
export class AttachmentBar {
  readonly element = document.createElement('div');
  /** Loaded with the first file. */
  #files: FileIntake | undefined;
  readonly #target = new DropTarget((data) => this.#drop(data));
  #mentions: readonly MentionView[] = [];
  /** Of the mentions; the same list until one changes. */
  #names: readonly string[] = [];
  #drawn: readonly unknown[] = [];
  #known: ReadonlySet<string> | undefined;
  /** Files that wait until `FileIntake` is loaded. */
  #loading = 0;

  constructor(
    private readonly context: PartContext,
    private readonly actions: AttachmentBarActions,
  ) {
    this.element.className = 'chips';
  }

  /** The overlay while something is dragged over the panel. */
  get target(): HTMLElement {
    return this.#target.element;
  }

  /** @param text of the message, which may name lines after a mention */
  update(panel: PanelView, mentions: readonly MentionView[], text: string): void {
    this.#mentions = mentions;
    const names = mentions.map((mention) => shownName(mention, text));
    if (names.some((name, i) => name !== this.#names[i]) || names.length !== this.#names.length) this.#names = names;
    this.#draw(panel);
  }

  /** Another thread is shown: its attachments are not announced. */
  leaveThread(): void {
    this.#known = undefined;
  }

  /** Takes files out of a paste, and text that is too long for a box; the box gets other text. */
  handlePaste(event: ClipboardEvent): void {
    const files = event.clipboardData ? [...pastedFiles(event.clipboardData), ...pastedText(event.clipboardData)] : [];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#intake((intake) => intake.add(files));
  }

  prepare(request: Extract<ToWebview, { type: 'image/prepare' }>): void {
    void this.#intake((intake) => intake.prepare(request));
  }

  async #intake(take: (intake: FileIntake) => void): Promise<void> {
    const { say, refuse, added } = this.actions;
    this.#loading++;
    try {
      const { FileIntake } = await import('./fileIntake');
      const onDidChange = () => {
        this.#draw(this.context.panel());
        if (!this.isAdding) added();
      };
      take((this.#files ??= new FileIntake(this.context, { say, refuse, onDidChange })));
    } catch (error) {
      this.context.log(error);
    } finally {
      this.#loading--;
    }
  }

  #drop(data: DataTransfer): boolean {
    const uris = droppedUris(data);
    const files = uris.length > 0 ? [] : droppedFiles(data);
    if (uris.length > 0) this.context.post({ type: 'attachment/addUris', uris: uris.slice(0, maxUris) });
    else if (files.length > 0) void this.#intake((intake) => intake.add(files));
    if (uris.length + files.length > 0) this.actions.focus();
    return uris.length + files.length > 0;
  }

  /** Announces a new attachment, which arrives a moment after the request, while the focus is elsewhere. */
  #announce({ attachments, promptCapabilities, agent }: PanelView): void {
    const known = this.#known;
    this.#known = new Set(attachments.map(({ id }) => id));
    const added = known ? attachments.filter(({ id }) => !known.has(id)) : [];
    if (added.length === 0) return;
    this.context.announce(
      added
        .map((item) =>
          [l10n.t('Added {0}', item.label), promptCapabilities && deliveryRemark(item, promptCapabilities, agent)]
            .filter(Boolean)
            .join('. '),
        )
        .join('. '),
    );
  }

  /** True if some files have not reached the host yet. */
  get isAdding(): boolean {
    return this.#pending + this.#loading > 0;
  }

  get #pending(): number {
    return this.#files?.pending ?? 0;
  }

  #draw(panel: PanelView): void {
    const state = [
      panel.attachments,
      panel.promptCapabilities,
      panel.agent,
      panel.currentFile,
      this.#mentions,
      this.#names,
      this.#pending,
    ];
    if (state.every((value, i) => value === this.#drawn[i])) return;
    this.#drawn = state;
    this.#announce(panel);
    const { context, actions } = this;
    render(
      chips(panel, { list: this.#mentions, names: this.#names }, this.#pending, {
        removeMention: actions.removeMention,
        remove: ({ id }) => {
          context.post({ type: 'attachment/remove', id });
          actions.focus();
        },
        open: ({ id }) => context.post({ type: 'attachment/open', id }),
        openMention: ({ path }) => context.post({ type: 'location/open', path }),
        addCurrent: () => {
          context.post({ type: 'context/add', source: 'current' });
          actions.focus();
        },
        follow: (on) => {
          context.post({ type: 'context/follow', on });
          actions.focus();
        },
      }),
      this.element,
    );
  }
}
