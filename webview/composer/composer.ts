import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { splitLines } from '../../src/base/mentionToken';
import { visibleLine, visibleText } from '../../src/base/visibleText';
import type { FoundFile, ToWebview } from '../../src/protocol/messages';
import { maxMentions, maxPromptLength } from '../../src/protocol/messages';
import type { EntryId } from '../../src/protocol/entryId';
import {
  type CommandView,
  type MentionView,
  type PanelUiState,
  type PanelView,
  takesMessages,
} from '../../src/protocol/viewModel';
import { AttachmentBar } from '../attach/attachmentBar';
import { html } from '../lib/html';
import type { PartContext } from '../parts/context';
import { Completer } from './completer';
import { ComposerTools } from './composerTools';
import { keepMentioned, tokenFor, withoutToken } from './mentions';
import type { Trigger } from './mentions';
import { PromptEdit } from './promptEdit';
import { messageBox } from './messageBox';
import { PromptHistory } from './promptHistory';
import { focusOn } from '../lib/reveal';
import { noCommands } from './completionItems';

/**
 * The message box. The text area is created once and never drawn again, so that no event in the panel disturbs typing.
 * CSS alone sets its height by its text.
 */
export class Composer {
  readonly element = document.createElement('div');
  readonly #box = messageBox();
  readonly #ghost = document.createElement('div');
  readonly #hint = document.createElement('div');
  readonly #tools: ComposerTools;
  readonly #attached: AttachmentBar;
  /** The attachments when the host got another one, which comes with its next state. */
  #shownBefore: PanelView['attachments'] | undefined;
  #isRefused = false;
  readonly #history = new PromptHistory();
  readonly #editing = new PromptEdit(() => this.#cancelEdit());
  readonly #completer: Completer;
  #mentions: readonly MentionView[] = [];
  #commands: readonly CommandView[] = [];
  #state: PanelView['connection']['state'] | undefined;
  /** Before the host's first state, the agent is unknown. */
  #isReady = false;
  /** The text at an Enter that has to wait: for the host's first state, an attachment, or a file search. */
  #early: string | undefined;

  /** @param onDidSubmit called after a prompt was sent */
  constructor(
    private readonly context: PartContext,
    private readonly onDidSubmit: () => void,
  ) {
    this.#tools = new ComposerTools(context, {
      addContext: () => context.post({ type: 'context/add', source: 'menu' }),
      send: () => this.#submit(),
      focus: () => this.focus(),
    });
    this.#completer = new Completer(this.#box, {
      commands: () => this.#commands,
      noCommands: () => noCommands(context.panel()),
      find: (queryId, text) => context.post({ type: 'files/query', queryId, text }),
      insert: (trigger, text) => this.#insert(trigger.from, trigger.to, text),
      mention: (file, trigger) => this.#mention(file, trigger),
      isMention: (word) => this.#mentions.some(({ token }) => token === word),
      addContext: (source) => context.post({ type: 'context/add', source }),
      found: () => this.#goOn(),
    });
    this.#attached = new AttachmentBar(context, {
      removeMention: (mention) => this.#removeMention(mention),
      say: (text) => this.#say(text),
      refuse: (text) => this.#refuse(text),
      added: () => this.#added(),
      focus: () => this.focus(),
    });
    this.element.className = 'composer';
    this.#ghost.className = 'ghost';
    this.#ghost.setAttribute('aria-hidden', 'true');
    this.#hint.className = 'composer-hint';
    this.#hint.setAttribute('role', 'status');
    const field = document.createElement('div');
    field.className = 'field';
    field.append(this.#ghost, this.#box);
    const frame = document.createElement('div');
    frame.className = 'composer-frame';
    frame.append(this.#attached.element, field, this.#tools.element);
    this.element.append(
      this.#completer.element,
      this.#hint,
      this.#tools.problem.element,
      this.#editing.element,
      frame,
      this.#attached.target,
    );
    this.#box.addEventListener('input', () => this.#handleInput());
    this.#box.addEventListener('paste', (event) => this.#attached.handlePaste(event));
    this.#box.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#box.addEventListener('focus', () => frame.classList.add('focused'));
    this.#box.addEventListener('blur', () => {
      frame.classList.remove('focused');
      if (this.#completer.isSearching) this.#early = undefined;
      this.#completer.stop();
      // A click may lead to another session; the typed text stays with this one.
      context.ui.flush();
    });
    // The caret moves without input: the list belongs to the word at the caret.
    this.#box.addEventListener(
      'keyup',
      (event) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(event.key) && this.#completer.complete(),
    );
    this.#box.addEventListener('click', () => {
      if (this.#completer.isSearching) this.#early = undefined;
      this.#completer.complete();
    });
    frame.addEventListener('click', (event) => event.target === frame && this.focus());
  }

  get text(): string {
    return this.#box.value;
  }

  update(panel: PanelView): void {
    this.#box.disabled = panel.connection.state === 'restricted';
    const placeholder = this.#box.disabled
      ? l10n.t('Trust this workspace to use agents')
      : panel.agent === ''
        ? l10n.t('Select an agent to get started')
        : panel.suggestion !== undefined
          ? l10n.t({
              message: '{0} (→ to use)',
              args: [panel.suggestion],
              comment: ['In the empty message box: a message that the agent suggests. The right arrow key takes it.'],
            })
          : l10n.t('Ask {0}, @ to add context, / for commands', panel.agent);
    if (this.#box.placeholder !== placeholder) this.#box.placeholder = visibleLine(placeholder);
    this.element.hidden = !takesMessages(panel);
    this.#drawAround();
    if (this.#state !== panel.connection.state) this.#completer.commandsChanged();
    this.#state = panel.connection.state;
    if (this.#commands !== panel.commands) {
      this.#commands = panel.commands;
      this.#drawGhost();
      this.#completer.commandsChanged();
    }
    // Before this state it was unknown whether Enter sends, and whether there is an agent.
    if (!this.#isReady && (panel.agent === '' || panel.sendWith !== 'enter')) this.#early = undefined;
    this.#isReady = true;
    this.#goOn();
  }

  focus(): void {
    focusOn(this.#box);
  }

  /** Puts a text into the box, before the typed text, for the user to complete or send. */
  fill(text: string): void {
    this.putBefore(text, []);
    this.focus();
    this.#completer.complete();
  }

  /** Shows a draft without taking the focus. */
  setText(text: string, mentions: readonly MentionView[]): void {
    this.#box.value = text;
    this.#mentions = keepMentioned(text, mentions);
    this.#box.setSelectionRange(text.length, text.length);
    this.#drawAround();
    this.#keep();
  }

  /** Puts a prompt back into the box, before any text typed since. */
  putBefore(text: string, mentions: readonly MentionView[]): void {
    const typed = this.#box.value;
    this.setText(typed.trim() === '' ? text : `${text}\n${typed}`, [...mentions, ...this.#mentions]);
  }

  /** Restores the state of the box. */
  restore({ draft, mentions, editing }: Pick<PanelUiState, 'draft' | 'mentions' | 'editing'>): void {
    this.setText(draft, mentions);
    this.#setEditing(editing);
  }

  /** Puts an earlier prompt into the box, to be replaced by the edited one. The typed text returns after that. */
  edit(entryId: EntryId, text: string, mentions: readonly MentionView[]): void {
    const { draft = this.#box.value, mentions: named = this.#mentions } = this.#editing.current ?? {};
    this.#setEditing({ entryId, draft, mentions: named });
    this.setText(text, mentions);
  }

  /** Ends the edit without a change: the earlier draft returns to the box. */
  leaveEdit(): void {
    const { current } = this.#editing;
    if (!current) return;
    this.#setEditing(undefined);
    this.setText(current.draft, current.mentions);
  }

  /** Another thread is shown. The edit of a message of the former one ends. */
  leaveThread(): void {
    this.#early = undefined;
    this.#attached.leaveThread();
    this.leaveEdit();
  }

  #cancelEdit(): void {
    this.leaveEdit();
    this.context.post({ type: 'prompt/cancelEdit' });
    this.focus();
  }

  #setEditing(editing: PanelUiState['editing']): void {
    this.#editing.set(editing);
    this.context.ui.setEditing(editing);
  }

  /** Handles a host's message for the box. */
  receive(message: Extract<ToWebview, { type: 'files/found' | 'image/prepare' | 'composer/say' }>): void {
    if (message.type === 'files/found') this.#completer.answer(message.queryId, message.files);
    else if (message.type === 'image/prepare') this.#attached.prepare(message);
    else this.#refuse(message.text);
  }

  #isEmpty(): boolean {
    const { attachments, notes } = this.context.panel();
    return this.#box.value.trim() === '' && attachments.length === 0 && !notes?.items.length;
  }

  #handleInput(): void {
    this.#say('');
    this.#mentions = keepMentioned(this.#box.value, this.#mentions);
    this.#drawAround();
    this.#keep();
    this.#completer.complete();
  }

  #keep(): void {
    this.context.ui.setDraft(this.#box.value, this.#mentions);
  }

  #handleKey(event: KeyboardEvent): void {
    // While an input method composes, it gets every key.
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    const taken = this.#completer.handleKey(event, this.#sends(event));
    // Modifier keys may be for VS Code or another window, so they do not cancel a waiting Enter.
    const isForOthers = event.key === 'Shift' || event.ctrlKey || event.metaKey || event.altKey;
    if (taken || event.key === 'Enter' || !isForOthers) this.#early = taken === 'later' ? this.#box.value : undefined;
    if (taken) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Enter' && this.#sends(event)) {
      event.preventDefault();
      this.#submit();
    } else if (event.ctrlKey || event.metaKey) return;
    else if (event.key === 'ArrowUp' && this.#mayRecall(true))
      this.#recall(event, this.#history.older(this.context.panel().history, this.text));
    else if (event.key === 'ArrowDown' && this.#mayRecall(false))
      this.#recall(event, this.#history.newer(this.context.panel().history, this.text));
    else if (event.key === 'ArrowRight' && !event.shiftKey && !event.altKey && this.text === '')
      this.#takeSuggestion(event);
    else if (event.key === 'Escape' && this.#hint.textContent !== '') this.#say('');
    else if (event.key === 'Escape' && this.#editing.current) this.#cancelEdit();
  }

  /** Takes the suggestion with a key that has no other effect in the empty box. Sends nothing. */
  #takeSuggestion(event: KeyboardEvent): void {
    const { suggestion } = this.context.panel();
    if (suggestion === undefined || this.#box.disabled) return;
    event.preventDefault();
    this.setText(visibleLine(suggestion), []);
  }

  #sends(event: KeyboardEvent): boolean {
    if (event.shiftKey || event.altKey) return false;
    return event.ctrlKey || event.metaKey || this.context.panel().sendWith === 'enter';
  }

  /** Handles an Enter that had to wait, unless the text has changed since. */
  #goOn(): void {
    if (this.#early === undefined || !this.#isReady || this.#attached.isAdding || this.#completer.isSearching) return;
    const isMeant = this.#early === this.#box.value && !this.#box.disabled;
    // The host's next state will include the attachment.
    if (isMeant && this.#isEmpty()) return;
    this.#early = undefined;
    if (isMeant && !this.#completer.take()) this.#submit();
  }

  /** The host has all files except refused ones. */
  #added(): void {
    if (!this.#isRefused) this.#shownBefore = this.context.panel().attachments;
    this.#isRefused = false;
    this.#goOn();
  }

  /** A file was not added, so the waiting message stays in the box. */
  #refuse(text: string): void {
    this.#isRefused = true;
    this.#early = undefined;
    this.#say(text);
  }

  #submit(): void {
    const text = this.#box.value;
    const panel = this.context.panel();
    if (!this.#isReady || this.#attached.isAdding)
      return void (this.#early = text === '' && !this.#attached.isAdding ? undefined : text);
    if (this.#isEmpty()) return void (this.#early = this.#shownBefore === panel.attachments ? text : undefined);
    if (panel.agent === '') {
      this.context.post({ type: 'agent/select' });
      return;
    }
    this.#completer.stop();
    if (text.length > maxPromptLength) {
      this.#say(l10n.t('The message is too long to send. Save it as a file and add the file with @.'));
      return;
    }
    if (this.#mentions.length > maxMentions)
      return this.#say(l10n.t('A message can name at most {0} files with @. Remove some of them.', maxMentions));
    const edited = this.#editing.current;
    this.context.post({
      type: 'prompt/submit',
      text,
      mentions: this.#mentions,
      attachments: panel.attachments.map((item) => item.id),
      ...(edited ? { edits: edited.entryId } : {}),
      ...(panel.currentFile?.isFollowed ? { followed: panel.currentFile.detail } : {}),
    });
    this.#history.reset();
    this.#setEditing(undefined);
    this.setText(edited?.draft ?? '', edited?.mentions ?? []);
    this.context.ui.flush();
    this.onDidSubmit();
  }

  #mayRecall(older: boolean): boolean {
    const { value, selectionStart, selectionEnd } = this.#box;
    if (value === '') return older || this.#history.isBrowsing(value);
    if (!this.#history.isBrowsing(value) || selectionStart !== selectionEnd) return false;
    return older ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionEnd).includes('\n');
  }

  #recall(event: KeyboardEvent, text: string | undefined): void {
    if (text === undefined) return;
    event.preventDefault();
    this.setText(text, []);
  }

  #mention(file: FoundFile, trigger: Trigger): void {
    const token = tokenFor(file, this.#mentions);
    if (!this.#mentions.some((m) => m.path === file.path)) {
      const label = file.folder ? `${file.folder}/${file.name}` : file.name;
      this.#mentions = [...this.#mentions, { token, path: file.path, label: file.isFolder ? `${label}/` : label }];
    }
    const { lines } = splitLines(trigger.query);
    this.#insert(trigger.from, trigger.to, file.isFolder || !/\d$/.test(lines) ? `${token} ` : `${token}${lines} `);
  }

  /** Replaces a range as typing would, so that the browser's own undo works. */
  #insert(from: number, to: number, text: string): void {
    focusOn(this.#box);
    this.#box.setSelectionRange(from, to);
    // An existing space is not doubled.
    const spaced = text.endsWith(' ') && this.#box.value[to] === ' ' ? text.slice(0, -1) : text;
    const mentions = this.#mentions;
    if (!document.execCommand('insertText', false, spaced)) this.#box.setRangeText(spaced, from, to, 'end');
    this.#mentions = keepMentioned(this.#box.value, mentions);
    this.#drawAround();
    this.#keep();
  }

  #removeMention(mention: MentionView): void {
    const text = withoutToken(this.#box.value, mention.token);
    this.setText(
      text,
      this.#mentions.filter((m) => m !== mention),
    );
    this.focus();
  }

  #drawAround(): void {
    this.#drawGhost();
    this.#tools.update(this.context.panel(), this.#isEmpty());
    this.#attached.update(this.context.panel(), this.#mentions, this.#box.value);
  }

  /** Shows the command's hint after "/name ", where its input will be typed. */
  #drawGhost(): void {
    const match = /^\/(\S+) $/.exec(this.#box.value);
    const hint = match ? this.#commands.find((c) => c.name === match[1])?.hint : undefined;
    render(hint ? html`<span class="typed">${this.#box.value}</span>${hint}` : nothing, this.#ghost);
  }

  #say(text: string): void {
    if (this.#hint.textContent !== text) this.#hint.textContent = visibleText(text);
  }
}
