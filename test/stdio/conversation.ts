import { onTestFinished } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import type { FileHandlers, TerminalHandlers } from '../../src/acp/handlers';
import { silentLogger } from '../../src/base/log';
import { SessionRouter } from '../../src/host/sessions/sessionRouter';
import { Session } from '../../src/thread/session';
import type { Elicitation, Entry, ToolCall } from '../../src/thread/thread';
import { FakeClock } from '../fakes/fakeClock';
import { type Link, type LinkOptions, startLink, text } from './harness';
import { waitUntil } from './waitUntil';

export interface ConversationOptions extends LinkOptions {
  readonly files?: Partial<FileHandlers>;
  readonly terminals?: Partial<TerminalHandlers>;
  /** Where the agent asks beside any session. */
  readonly home?: () => Session | undefined;
  /** What becomes of permissions; each is shown as it is where absent. */
  readonly permit?: (clock: FakeClock) => ConstructorParameters<typeof SessionRouter>[3];
}

/** A session of ours joined to the agent over a real pipe, as the extension host does it, but without VS Code. */
export class Conversation {
  constructor(
    readonly link: Link,
    readonly router: SessionRouter,
    readonly clock: FakeClock,
    readonly session: Session,
    readonly sessionId: string,
  ) {}

  /** Sends a prompt of directives and waits for the end of the turn. */
  async play(...directives: string[]): Promise<void> {
    await this.session.prompt(text(...directives));
  }

  /** Sends a prompt and does not wait. @returns the end of the turn. */
  begin(...directives: string[]): Promise<unknown> {
    return this.session.prompt(text(...directives));
  }

  entries(): Entry[] {
    const { entries } = this.session.thread;
    return Array.from({ length: entries.length }, (_, index) => entries.at(index)!);
  }

  /** The thread as lines: `agent: text`, `tool: title (status)`, `notice: title`. */
  lines(): string[] {
    return this.entries().map(describeEntry);
  }

  toolCalls(): ToolCall[] {
    return this.entries().filter((entry) => entry.kind === 'toolCall');
  }

  /** Waits for the questions of the agent. @returns their ids, oldest first. */
  async questions(count = 1): Promise<string[]> {
    await waitUntil(`${count} questions wait`, () => this.session.thread.waiting.length >= count);
    return this.session.thread.waiting.map(({ requestId }) => requestId);
  }

  /** Elicitations in the thread, oldest first. */
  elicitations(): Elicitation[] {
    return this.entries().filter((entry) => entry.kind === 'elicitation');
  }

  /** Our answers to `session/request_permission`, by request id. */
  outcomes(): unknown[] {
    return this.link.sent().flatMap((message) => (message['result']?.outcome ? [message['result'].outcome] : []));
  }
}

/** Starts the fake agent and opens a session on it. */
export async function startConversation(options: ConversationOptions = {}): Promise<Conversation> {
  const refuse = () => Promise.reject(AcpError.invalidParams('this test serves no such request'));
  const clock = new FakeClock();
  const router = new SessionRouter(
    { readTextFile: refuse, writeTextFile: refuse, ...options.files },
    {
      createTerminal: refuse,
      terminalOutput: refuse,
      waitForTerminalExit: refuse,
      killTerminal: refuse,
      releaseTerminal: refuse,
      ...options.terminals,
    },
    silentLogger,
    options.permit?.(clock),
  );
  const link = startLink({ ...options, handlers: router.handlersFor('fake', options.home) });
  await link.connection.initialize();
  const conversation = await addSession(link, router, clock);
  link.connection.onDidClose(() => conversation.session.detach());
  return conversation;
}

/** The same with an agent of the draft of version 2. */
export function startDraft(agent: NonNullable<ConversationOptions['agent']> = {}): Promise<Conversation> {
  return startConversation({ protocol: 2, agent });
}

/** Another session on the same connection. */
export async function addSession(link: Link, router: SessionRouter, clock: FakeClock): Promise<Conversation> {
  const opened = await link.connection.newSession({ cwd: link.folder, mcpServers: [] });
  const session = new Session(`ours-${opened.sessionId}`, clock, silentLogger);
  session.attach({ sessionId: opened.sessionId, link: link.connection }, opened);
  router.register('fake', opened.sessionId, session);
  onTestFinished(() => session.dispose());
  return new Conversation(link, router, clock, session, opened.sessionId);
}

function describeEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'userMessage':
      return `user: ${textOf(entry.parts)}${entry.dropped ? ' (dropped)' : ''}`;
    case 'agentMessage':
      return `agent: ${textOf(entry.parts)}`;
    case 'thought':
      return `thought: ${textOf(entry.parts)}`;
    case 'toolCall':
      return `tool: ${entry.title} (${entry.localEnd ?? entry.status})`;
    case 'compaction':
      return `compaction: ${entry.status}`;
    case 'elicitation':
      return `question: ${entry.message} (${entry.state})`;
    case 'notice':
      return `notice: ${entry.title}${entry.detail ? ` | ${entry.detail}` : ''}`;
  }
}

function textOf(parts: Iterable<{ readonly type: string; readonly text?: string }>): string {
  return [...parts].map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('');
}
