import { Disposable } from '../../../src/base/lifecycle';
import type { Update } from '../../../src/acp/decodeUpdate';
import type { Session } from '../../../src/thread/session';
import { TerminalOutput } from '../../../src/thread/terminalOutput';
import type { Thread } from '../../../src/thread/thread';
import { PanelProjector } from '../../../src/view/panelView';
import { EntryProjector } from '../../../src/view/project';
import { ThreadPublisher } from '../../../src/view/publisher';
import type { FakeClock } from '../../fakes/fakeClock';
import { FakeWebview, readyPanel } from '../../fakes/fakeWebview';

/** The folder in which the traces were recorded. */
const cwd = '/home/user/project';

/** A session of a trace with everything behind it up to the webview's copy of the view. */
export class PlayedSession extends Disposable {
  readonly webview = new FakeWebview();
  readonly terminals = new Map<string, { readonly output: TerminalOutput; exit?: string }>();
  /** Grows with everything that a person could see or that a later start needs. */
  effects = 0;
  private readonly panels = new PanelProjector();
  private readonly publisher: ThreadPublisher;

  constructor(
    readonly session: Session,
    clock: FakeClock,
  ) {
    super();
    this.register(session);
    this.publisher = this.register(
      new ThreadPublisher(
        { thread: () => session.thread, threadId: () => session.id, panel: () => this.panel(), terminals: () => [], ui: () => ({ draft: '', mentions: [], expanded: {} }), cwd: () => cwd },
        this.webview,
        clock,
      ),
    );
    this.publisher.snapshot();
    this.register(session.onDidChange(() => this.publisher.mark()));
    this.register(session.onDidAct(() => this.effects++));
    this.register(
      session.onDidReceiveTerminal((event) => {
        this.effects++;
        const terminal = this.terminals.get(event.terminalId) ?? { output: new TerminalOutput({ cols: 80, rows: 24, newlineReturns: true }) };
        this.terminals.set(event.terminalId, terminal);
        if (event.type === 'output') terminal.output.write(event.data);
        if (event.type === 'exited') terminal.exit = event.signal ?? String(event.exitCode);
      }),
    );
  }

  /** What the webview has, and what it should have. */
  views(): { readonly replica: unknown; readonly projected: unknown } {
    const { replica } = this.webview;
    const fresh = new EntryProjector(() => cwd);
    const projected = { panel: this.panel(), entries: [...this.session.thread.entries].map((entry) => fresh.project(entry)) };
    return { replica: { panel: replica!.panel, entries: replica!.order.map((id) => replica!.entries.get(id)) }, projected: JSON.parse(JSON.stringify(projected)) };
  }

  private panel() {
    return readyPanel(this.panels, this.session.thread);
  }
}

/** Why an update rightly changes nothing; `undefined` where nothing excuses it. */
export function excuseOf(update: Update, thread: Thread): string | undefined {
  switch (update.type) {
    case 'chunk':
      if (update.content.type === 'text' && update.content.text === '') return 'empty';
      return update.role === 'user' && thread.turn ? 'echo of the prompt' : undefined;
    case 'mode':
      return thread.modes === undefined || thread.modes.currentModeId === update.modeId ? 'the same mode' : undefined;
    case 'title':
      return thread.title === update.title ? 'the same title' : undefined;
    case 'commands':
      return thread.commands.length === 0 && update.commands.length === 0 ? 'no commands as before' : undefined;
    case 'plan':
      return thread.plan.length === 0 && update.entries.length === 0 ? 'no plan as before' : undefined;
    case 'toolCall':
      return Object.keys(update.fields).every((key) => key === 'toolCallId' || key === 'meta') ? 'only _meta' : undefined;
    default:
      return undefined;
  }
}
