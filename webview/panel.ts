import { visibleLine } from '../src/base/visibleText';
import type { ToWebview } from '../src/protocol/messages';
import { type PanelUiState, type PanelView, takesMessages } from '../src/protocol/viewModel';
import { Composer } from './composer/composer';
import { ReturnedPrompt } from './composer/returnedPrompt';
import { FindDoor } from './find/findDoor';
import type { Host } from './host';
import { type Deadline, FrameLoop } from './lib/frame';
import { handleClicks, prepareContextMenu } from './lib/clicks';
import { joinKeys } from './lib/conversationKeys';
import { FocusRequest, LostFocus, isFocusWithin } from './lib/focus';
import { LateView } from './lib/latePart';
import { setLineLength } from './markdown/lineLength';
import { answerPaths, askForPathsWith } from './markdown/pathLinks';
import type { PartContext } from './parts/context';
import { Dock } from './parts/dock';
import { FileStates } from './parts/fileStates';
import { SetupButtons } from './parts/setupButtons';
import { Face } from './parts/faces';
import { AnswerPause } from './parts/answerDelay';
import { CardVisibility } from './parts/cardVisibility';
import { goToPrompt, stepThroughPrompts } from './parts/promptSteps';
import { JumpButton } from './parts/jumpButton';
import { News } from './parts/news';
import { Questions } from './parts/questions';
import { Thread } from './parts/threadPart';
import { WaitingRequests } from './parts/waitingRequests';
import { answerSnippet, askForSnippetsWith } from './parts/snippetLines';
import { NewProblemsLine } from './parts/newProblemsLine';
import { TurnChangeLines } from './parts/turnChangeLines';
import { Store, type SyncMessage } from './store';
import { UiState } from './uiState';
import { focusOn, reveal } from './lib/reveal';

/** The window's stored state of the last shown conversation. */
type KeptState = Partial<PanelUiState> & { readonly threadId?: unknown; readonly isEmpty?: unknown };

/** The whole panel: joins the store's changes, the thread, the dock and the message box, once per frame. */
export class Panel {
  readonly #store: Store;
  readonly #ui: UiState;
  readonly #frame = new FrameLoop(
    (deadline) => this.#write(deadline),
    () => this.#measure(),
  );
  readonly #thread: Thread;
  readonly #turnChanges: TurnChangeLines;
  readonly #newProblems: NewProblemsLine;
  readonly #questions: Questions;
  readonly #waiting: WaitingRequests;
  readonly #face: Face;
  readonly #find: FindDoor;
  #settleReading = () => {};
  #settleSteps = () => {};
  readonly #jump: JumpButton;
  readonly #sessions: LateView<PanelView>;
  readonly #gallery: LateView<PanelView>;
  readonly #setup: SetupButtons;
  readonly #composer: Composer;
  readonly #returned = new ReturnedPrompt();
  readonly #news = new News();
  readonly #fileStates = new FileStates();
  readonly #sight = new CardVisibility(() => this.#refreshDock());
  readonly #title = document.createElement('h1');
  #shownThread: string | undefined;
  readonly #kept: KeptState | undefined;
  #shownCheckpoints: PanelView['checkpoints'];
  #lostFocus: LostFocus | undefined;
  #dockStale = true;
  #panelStale = true;
  #cover: 'gallery' | 'sessions' | undefined;
  readonly #focus = new FocusRequest<Extract<ToWebview, { type: 'focus/set' }>['target']>(() => this.#frame.request());
  #wantsEntry: Omit<Extract<ToWebview, { type: 'entry/reveal' }>, 'type'> | undefined;

  constructor(
    private readonly host: Host,
    root: HTMLElement,
  ) {
    this.#store = new Store(
      (reason) => this.#resync(reason),
      () => this.#frame.request(),
    );
    this.#ui = new UiState(host, () => this.#thread.place.get());
    const context = this.#createContext();
    this.#composer = new Composer(context, () => this.#thread.scroll.pin());
    this.#sessions = new LateView(
      'session-list',
      ({ sessions }) => sessions !== undefined,
      async (element) => {
        const { SessionsPage } = await import('./sessions/sessionsPage');
        const page = new SessionsPage(element, context);
        return ({ sessions, agentIcons }) => page.update(sessions, agentIcons);
      },
      context.log,
    );
    this.#gallery = new LateView(
      'gallery',
      ({ gallery }) => gallery !== undefined,
      async (element) => {
        const { GalleryPage } = await import('./gallery/galleryPage');
        const page = new GalleryPage(element, context);
        return ({ gallery, galleryIcons }) => page.update(gallery, galleryIcons);
      },
      context.log,
    );
    this.#setup = new SetupButtons(context);
    this.#face = new Face(context, (text) => this.#composer.fill(text));
    this.#thread = new Thread(this.#store.replica, context, {
      footer: this.#face.element,
      onDidPin: () => this.#showJump(),
      onDidScroll: () => this.#handleScroll(),
      onDidBuild: (ids) => {
        this.#turnChanges.follow(ids);
        this.#newProblems.place();
      },
      requestFrame: () => this.#frame.request(),
    });
    this.#jump = new JumpButton(this.#thread.element, () => this.#thread.scroll.pin());
    this.#find = new FindDoor({ thread: this.#thread, replica: this.#store.replica, log: (error) => host.log(error) });
    this.#questions = new Questions(this.#thread);
    this.#turnChanges = new TurnChangeLines(
      context,
      (id) => this.#thread.standsFor(id),
      (id) => this.#thread.subagents.standIn(id),
      (id) => this.#store.replica.entries.get(id),
    );
    this.#newProblems = new NewProblemsLine(context, (id) => this.#thread.standsFor(id));
    const dock = new Dock(
      context,
      (item) => this.#waiting.show(item),
      () => this.#refreshDock(),
      () => this.#composer.focus(),
    );
    this.#waiting = new WaitingRequests({
      replica: this.#store.replica,
      questions: this.#questions,
      dock,
      context,
      await: (question) => (this.#wantsEntry = question),
      moved: () => this.#refreshDock(),
    });
    this.#build(root, context, dock);
    // Show the window's stored state at once; the host's snapshot follows and wins.
    const kept = (this.#kept = host.loadState() as KeptState | undefined);
    if (kept && typeof kept.draft === 'string' && kept.draft !== '')
      this.#composer.restore({
        ...kept,
        draft: kept.draft,
        mentions: Array.isArray(kept.mentions) ? kept.mentions : [],
      });
  }

  /** A message of the host. */
  receive(message: ToWebview): void {
    switch (message.type) {
      case 'thread/snapshot':
      case 'thread/patch':
        return this.#follow(message);
      case 'files/found':
      case 'image/prepare':
      case 'composer/say':
        return this.#composer.receive(message);
      case 'paths/found':
        for (const id of answerPaths(message.paths, message.existing)) this.#thread.redraw(id);
        return;
      case 'snippet/found':
        return answerSnippet(message.queryId, message.line);
      case 'draft/restore':
        if (message.ifEmpty && this.#composer.text.trim() !== '') return;
        if (message.ifEmpty) this.#returned.came(message.text, this.#store.replica.entries.values());
        return this.#composer.putBefore(message.text, message.mentions);
      case 'draft/edit':
        return this.#composer.edit(message.entryId, message.text, message.mentions);
      case 'sound/play':
        void import('./lib/notificationSound').then(
          ({ notificationSound }) => notificationSound(message.sound, message.volume),
          (error: unknown) => this.host.log(error),
        );
        return;
      case 'entry/reveal':
        this.#wantsEntry = message;
        return this.#frame.request();
      case 'focus/set':
        // Draw earlier messages first.
        this.#focus.set(message.target);
        return this.#frame.request();
    }
  }

  #follow(message: SyncMessage): void {
    const { replica } = this.#store;
    const wasRunning = replica.panel.turn.running;
    // A user who has scrolled away needs the entries near the view before new ones.
    if (message.type === 'thread/patch' && this.#thread.scroll.atEnd) this.#frame.didHear();
    this.#store.receive(message);
    if (wasRunning && !replica.panel.turn.running) this.#frame.hurry();
  }

  #createContext(): PartContext {
    askForSnippetsWith((question) => this.host.post({ type: 'snippet/query', ...question }));
    askForPathsWith((paths) => this.host.post({ type: 'paths/query', paths }));
    return {
      ui: this.#ui,
      answers: new AnswerPause(),
      sight: this.#sight,
      post: (message) => this.host.post(message),
      panel: () => this.#store.replica.panel,
      terminal: (id) => this.#store.replica.terminals.get(id),
      fileState: (path, id) => this.#fileStates.get(path, id, this.#thread.promptOf(id)),
      subagent: (id) => this.#thread.subagents.state(id),
      keepText: (text) => this.#composer.putBefore(text, []),
      announce: (text) => this.#news.say(text),
      hold: (id) => this.#thread.place.hold(id),
      reveal: (id) => {
        this.#ui.setExpanded(id, true);
        this.#thread.redraw(id);
        this.#wantsEntry = { entryId: id };
        this.#frame.request();
      },
      redraw: (id) => this.#thread.redraw(id),
      log: (error) => this.host.log(error),
    };
  }

  #build(root: HTMLElement, context: PartContext, strips: Dock): void {
    this.#title.className = 'session-title';
    const area = document.createElement('div');
    area.className = 'thread-area';
    area.append(
      this.#find.element,
      this.#thread.element,
      this.#jump.element,
      this.#sessions.element,
      this.#gallery.element,
    );
    const dock = document.createElement('div');
    dock.className = 'dock';
    dock.append(strips.element, this.#composer.element);
    root.className = 'panel';
    root.role = 'main';
    const header = document.createElement('div');
    header.className = 'session-header';
    header.append(this.#title, this.#setup.element);
    root.append(header, area, dock, this.#news.element);
    handleClicks(root, context);
    prepareContextMenu(root);
    joinKeys(this.#thread.element, this.#composer);
    this.#lostFocus = new LostFocus(
      root,
      new Map([
        [this.#thread.element, () => this.#thread.element.focus({ preventScroll: true })],
        [this.#composer.element, () => this.#composer.focus()],
      ]),
    );
    this.#settleSteps = stepThroughPrompts(this.#thread, this.#store.replica);
    requestIdleCallback(() => void this.#loadReadingHelp(context));
    window.addEventListener('keydown', () => this.#frame.letInputThrough(), true);
    new ResizeObserver(([entry]) => setLineLength((entry?.contentRect.width ?? 400) / 7.2)).observe(area);
  }

  async #loadReadingHelp(context: PartContext): Promise<void> {
    try {
      const { helpReading } = await import('./readingHelp');
      void import('./warmUp').then(({ warmUp }) => warmUp(context), context.log);
      this.#settleReading = helpReading(this.#thread, this.#store.replica, context);
      this.#frame.request();
    } catch (error) {
      context.log(error);
    }
  }

  /** Writes to the DOM only. */
  #write(deadline: Deadline): void {
    const { snapshot, dirty } = this.#store.take();
    // Before the host's first snapshot there is nothing to show.
    if (!snapshot && this.#shownThread === undefined) return;
    const { checkpoints } = this.#store.replica.panel;
    if (checkpoints !== this.#shownCheckpoints) this.#thread.redrawRestored();
    this.#shownCheckpoints = checkpoints;
    if (snapshot) this.#start(snapshot);
    else {
      this.#thread.apply(dirty);
      this.#find.follow(dirty);
    }
    const grew = dirty.added.length > 0 || dirty.completed;
    if ((snapshot || grew) && this.#returned.isBack(this.#composer.text, this.#store.replica.entries.values())) {
      this.#composer.setText('', []);
      this.host.post({ type: 'attachment/removeSent' });
    }
    if (snapshot || dirty.panel || this.#panelStale || grew) this.#drawPanel();
    if (snapshot || dirty.panel || grew || dirty.replaced.size > 0) this.#dockStale = true;
    if (this.#thread.draw(deadline)) this.#frame.request();
  }

  /** Reads layout, and draws what depends on it. */
  #measure(): void {
    if (this.#shownThread === undefined) return;
    this.#thread.measure();
    this.#takeFocus();
    this.#lostFocus?.settle();
    this.#revealEntry();
    this.#settleSteps();
    this.#find.settle();
    this.#settleReading();
    this.#jump.settle();
    // A card's code may load late, after the line over the box was drawn without it.
    if (this.#questions.settle(this.#store.replica.panel.pendingQuestions)) this.#dockStale = true;
    if (!this.#dockStale) return;
    this.#dockStale = false;
    this.#waiting.settle();
  }

  #start(ui: PanelUiState): void {
    // A later snapshot repairs the thread, but must not change the user's position and draft. Another thread uses the
    // same entry ids, so no position of the former one may be applied to it.
    const sameThread = this.#shownThread === this.#store.replica.threadId;
    const isFirst = this.#shownThread === undefined;
    this.#shownThread = this.#store.replica.threadId;
    const scroll = sameThread ? this.#thread.place.get() : ui.scroll;
    if (!sameThread && !isFirst) this.#composer.leaveThread();
    // The window's state may be older than the host's, or of another conversation; newly typed text is neither.
    const isOlder =
      isFirst && this.#composer.text === this.#kept?.draft && (ui.draft !== '' || this.#isKeptElsewhere());
    // The draft moves only to a conversation without a draft of its own.
    const keepDraft =
      sameThread || (this.#composer.text !== '' && ui.hasMoved !== true && !isOlder && (isFirst || ui.draft === ''));
    this.#ui.restore(ui, keepDraft, sameThread);
    this.#ui.keepThread(this.#shownThread, this.#store.replica.order.length === 0);
    if (!keepDraft) this.#composer.restore(ui);
    if (!sameThread) this.#fileStates.reset();
    this.#thread.reset(scroll);
    this.#find.reset();
    this.#questions.reset();
    // A tab is drawn anew when it comes to the front or moves to another window.
    if (
      isFirst &&
      document.documentElement.classList.contains('in-editor') &&
      document.hasFocus() &&
      document.activeElement === document.body &&
      this.#focus.place === undefined
    )
      this.#focus.set('composer');
  }

  /** Conversations that have not begun share a draft, and get a new id with each window. */
  #isKeptElsewhere(): boolean {
    const { threadId, isEmpty } = this.#kept ?? {};
    return (
      threadId !== undefined &&
      threadId !== this.#store.replica.threadId &&
      !(isEmpty === true && this.#store.replica.order.length === 0)
    );
  }

  #drawPanel(): void {
    this.#panelStale = false;
    const { panel, order } = this.#store.replica;
    this.#title.hidden = (this.#title.textContent = this.#title.title = visibleLine(panel.title ?? '')) === '';
    this.#setup.update(panel.setup);
    this.#thread.element.classList.toggle('imported', panel.imported !== undefined);
    for (const id of this.#fileStates.update(panel.fileStates)) this.#thread.redraw(id);
    this.#face.update(panel, order.length === 0);
    this.#composer.update(panel);
    this.#turnChanges.update(panel, panel.turnChanges?.length ? this.#thread.order() : []);
    this.#newProblems.update(panel.newProblems, panel.newProblems ? this.#thread.order() : []);
    const cover = panel.gallery ? 'gallery' : panel.sessions && 'sessions';
    const isCovered = cover !== undefined;
    // The page that opens takes the focus itself.
    if (isCovered && cover !== this.#cover && this.#focus.place === 'composer') this.#focus.drop();
    this.#cover = cover;
    this.#thread.element.inert = isCovered;
    const hadFocus = [this.#sessions, this.#gallery].some(({ element }) => isFocusWithin(element));
    this.#sessions.update(panel);
    this.#gallery.update(panel);
    if (hadFocus && !isCovered && this.#wantsEntry === undefined && this.#focus.place === undefined)
      this.#focus.set('composer');
    this.#news.tell(panel, this.#shownThread);
  }

  #handleScroll(): void {
    if (!this.#thread.scroll.atEnd) this.#ui.changed();
    if (this.#store.replica.panel.pendingQuestions.length > 0) this.#refreshDock();
  }

  #refreshDock(): void {
    this.#dockStale = true;
    this.#frame.request();
  }

  #showJump(): void {
    this.#jump.show(!this.#thread.scroll.atEnd);
    this.#ui.changed();
  }

  #takeFocus(): void {
    const target = this.#focus.take();
    if (target === 'composer' && !takesMessages(this.#store.replica.panel))
      this.#thread.element.focus({ preventScroll: true });
    else if (target === 'composer' && this.#store.replica.panel.connection.state === 'restricted')
      focusOn(this.#face.element.querySelector('button'));
    else if (target === 'composer') this.#composer.focus();
    else if (target === 'question' || target === 'unread') this.#focusQuestion(target);
    else if (target === 'find') void this.#find.show();
  }

  /** Scrolls to an entry that the user asked for, once it is drawn. */
  #revealEntry(): void {
    if (!this.#wantsEntry) return;
    const { entryId: id, found } = this.#wantsEntry;
    if (this.#store.replica.entries.get(id)?.kind !== 'userMessage' || !goToPrompt(this.#thread, id)) {
      const element = this.#thread.reveal(id);
      // Far entries are built in later frames.
      if (!element && this.#store.replica.entries.has(id)) return this.#frame.request();
      if (!element && !this.#store.replica.isWhole) return;
      // Entries above it get their heights later.
      if (element) this.#thread.scroll.holdAt(() => reveal(element, 'center'));
      this.#thread.element.focus({ preventScroll: true });
    }
    this.#wantsEntry = undefined;
    if (found) void this.#find.goTo(id, found);
  }

  #focusQuestion(target: 'question' | 'unread'): void {
    const isShown = target === 'unread' ? this.#waiting.readOn() : this.#waiting.showOldest();
    if (!isShown && !this.#face.focusCard()) this.#composer.focus();
  }

  #resync(reason: unknown): void {
    if (reason !== undefined) this.host.log(reason);
    this.host.post({ type: 'thread/resync' });
  }
}
