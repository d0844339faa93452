import { Disposable } from '../../src/base/lifecycle';
import type { Session } from '../../src/thread/session';
import { TerminalOutput } from '../../src/thread/terminalOutput';
import { PanelProjector } from '../../src/view/panelView';
import { entryView } from '../../src/view/project';
import { ThreadPublisher } from '../../src/view/publisher';
import type { FakeClock } from './fakeClock';
import { FakeWebview, readyPanel } from './fakeWebview';

/** A session with everything behind it up to the webview's copy of the view, and its terminals as text. */
export class ShownSession extends Disposable {
  readonly webview = new FakeWebview();
  readonly terminals = new Map<string, { readonly output: TerminalOutput; exit?: string }>();
  /** Grows with everything that a user could see or that a later start needs. */
  effects = 0;
  private readonly panels = new PanelProjector();
  private readonly publisher: ThreadPublisher;

  constructor(
    readonly session: Session,
    clock: FakeClock,
    private readonly cwd: string,
  ) {
    super();
    this.register(session);
    this.publisher = this.register(
      new ThreadPublisher(
        {
          thread: () => session.thread,
          threadId: () => session.id,
          panel: () => this.panel(),
          terminals: () => [],
          ui: () => ({ draft: '', mentions: [], expanded: {} }),
          cwd: () => this.cwd,
        },
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
        const terminal = this.terminals.get(event.terminalId) ?? {
          output: new TerminalOutput({ cols: 80, rows: 24, newlineReturns: true }),
        };
        this.terminals.set(event.terminalId, terminal);
        if (event.type === 'output') terminal.output.write(event.data);
        if (event.type === 'exited') terminal.exit = event.signal ?? String(event.exitCode);
      }),
    );
  }

  /** A terminal that Parley runs, as the agent is told of it. */
  showOutput(
    terminalId: string,
    told: {
      readonly output: string;
      readonly exitStatus?: { readonly exitCode?: number | null; readonly signal?: string | null };
    },
  ): void {
    const output = new TerminalOutput({ cols: 80, rows: 24, newlineReturns: true });
    output.write(told.output);
    const exit = told.exitStatus?.signal ?? told.exitStatus?.exitCode;
    this.terminals.set(terminalId, { output, ...(exit == null ? {} : { exit: String(exit) }) });
  }

  /** What the webview has, and what it should have. */
  views(): { readonly replica: unknown; readonly projected: unknown } {
    const { replica } = this.webview;
    const projected = {
      panel: this.panel(),
      entries: [...this.session.thread.entries].map((entry) => entryView(entry, this.cwd)),
    };
    return {
      replica: { panel: replica!.panel, entries: replica!.order.map((id) => replica!.entries.get(id)) },
      projected: JSON.parse(JSON.stringify(projected)),
    };
  }

  private panel() {
    return readyPanel(this.panels, this.session.thread);
  }
}
