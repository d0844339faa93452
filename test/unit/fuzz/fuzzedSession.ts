import { expect } from 'vitest';
import type { ProtocolVersion } from '../../../src/acp/agentConnection';
import { nothingOffered } from '../../../src/acp/decodeOptions';
import { silentLogger } from '../../../src/base/log';
import { SessionRouter } from '../../../src/host/sessions/sessionRouter';
import type { ThreadAction } from '../../../src/thread/actions';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { reduce } from '../../../src/thread/reducer';
import { Session } from '../../../src/thread/session';
import { replay } from '../../../src/thread/replay';
import { compact } from '../../../src/thread/transcript';
import { FakeClock } from '../../fakes/fakeClock';
import { MemoryLink } from '../../fakes/memoryLink';
import { ShownSession } from '../../fakes/shownSession';

// They are loaded with the first request, and nothing here waits for a file.
await Promise.all([import('../../../src/acp/decodeElicitation'), import('../../../src/host/platform/webPage')]);

/**
 * A session `s1` on a connection in memory whose agent says what a test makes up, between updates that must come
 * through whole.
 */
export class FuzzedSession {
  readonly link: MemoryLink;
  readonly session: Session;
  readonly actions: ThreadAction[] = [];
  private readonly clock = new FakeClock();
  private readonly shown: ShownSession;
  private neighbours = 0;

  constructor(private readonly version: ProtocolVersion = 1) {
    const router = new SessionRouter(
      { readTextFile: async () => ({ content: '' }), writeTextFile: async () => {} },
      {
        createTerminal: async () => ({ terminalId: 't1' }),
        terminalOutput: async () => ({ output: '', truncated: false }),
        waitForTerminalExit: async () => ({ exitCode: 0 }),
        killTerminal: async () => {},
        releaseTerminal: async () => {},
      },
      silentLogger,
    );
    this.link = new MemoryLink(router.handlersFor('fuzz'), version);
    this.session = new Session('ours', this.clock, silentLogger);
    this.shown = new ShownSession(this.session, this.clock, '/w');
    this.session.onDidAct((action) => this.actions.push(action));
    this.session.attach(
      { sessionId: 's1', link: this.link.connection },
      { ...nothingOffered, modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] } },
    );
    router.register('fuzz', 's1', this.session);
  }

  /**
   * Says each message between two valid updates, as bytes in one breath, and waits until all of it has been handled.
   */
  async hear(messages: readonly (string | Uint8Array | object)[]): Promise<void> {
    this.link.receiveBytes(this.neighbour());
    for (const message of messages) {
      this.link.receiveBytes(
        message instanceof Uint8Array ? message : typeof message === 'string' ? message : JSON.stringify(message),
      );
      this.link.receiveBytes(`\n${this.neighbour()}`);
    }
    await this.link.settle();
  }

  /** The laws that hold whatever an agent says. */
  expectWhole(): void {
    this.clock.advance(16);
    expect(
      this.link.logged.filter((line) => line.startsWith('error')),
      'nothing throws past the decoder',
    ).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const entries = [...this.session.thread.entries];
    const texts = new Map(
      entries.flatMap((entry) =>
        entry.kind === 'agentMessage'
          ? [[entry.messageId, [...entry.parts].map((part) => (part.type === 'text' ? part.text : '')).join('')]]
          : [],
      ),
    );
    const titles = new Map(
      entries.flatMap((entry) => (entry.kind === 'toolCall' ? [[entry.toolCallId, entry.title]] : [])),
    );
    for (let n = 0; n < this.neighbours; n++) {
      expect(texts.get(`neighbour-${n}`), 'a valid neighbour is never lost').toBe(`I am ${n}`);
      expect(titles.get(`neighbour-${n}`)).toBe(`Call ${n}`);
    }
    expect(this.shown.webview.resyncs).toBe(0);
    const { replica, projected } = this.shown.views();
    expect(replica).toEqual(projected);
    // What still goes on when the window closes is closed when it is replayed.
    if (!this.session.isRunning && this.session.thread.compacting.length === 0) {
      const stored = JSON.parse(JSON.stringify(compact(this.actions))) as ThreadAction[];
      expect(threadToMarkdown(replay(stored)), 'what is stored is what was shown').toBe(
        threadToMarkdown(reduce(this.session.thread, { type: 'toolCalls/ended', at: 0 })),
      );
    }
  }

  dispose(): void {
    this.shown.dispose();
    this.link.dispose();
  }

  /** Lines of two updates that can be told from all others. */
  private neighbour(): string {
    const n = this.neighbours++;
    const updates = [
      {
        sessionUpdate: 'agent_message_chunk',
        messageId: `neighbour-${n}`,
        content: { type: 'text', text: `I am ${n}` },
      },
      {
        sessionUpdate: this.version === 1 ? 'tool_call' : 'tool_call_update',
        toolCallId: `neighbour-${n}`,
        title: `Call ${n}`,
        status: 'completed',
      },
    ];
    return updates
      .map(
        (update) =>
          `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update } })}\n`,
      )
      .join('');
  }
}

/** Runs one try of a law and cleans up, also when it fails. */
export async function withSession(
  law: (fuzzed: FuzzedSession) => Promise<void>,
  version: ProtocolVersion = 1,
): Promise<void> {
  const fuzzed = new FuzzedSession(version);
  try {
    await law(fuzzed);
  } finally {
    fuzzed.dispose();
  }
}
