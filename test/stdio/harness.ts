import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { allFeatures, type ClientFeatures } from '../../src/acp/clientFeatures';
import type { ProtocolVersion } from '../../src/acp/agentConnection';
import { AcpConnection } from '../../src/acp/connection';
import { AcpConnectionV2 } from '../../src/acp/v2/connectionV2';
import type { Update } from '../../src/acp/decodeUpdate';
import type { ClientHandlers } from '../../src/acp/handlers';
import type { Logger } from '../../src/base/log';
import { type AgentExit, AgentProcess } from '../../src/node/agentProcess';
import { childEnvironment } from '../../src/node/environment';
import { LinkFailure, NdjsonMessageReader, NdjsonMessageWriter } from '../../src/node/ndjson';
import { assertClientWire } from '../fakes/clientSchema';
import { messagesOf, readWireLog, type WireEntry, type WireMessage } from '../fakes/wireLog';
import type { Options } from '../fakes/agent/options.mjs';
import { waitUntil } from './waitUntil';

export const fakeAgentFile = resolve(import.meta.dirname, '../fakes/fakeAgent.mjs');

export const fakeAgentV2File = resolve(import.meta.dirname, '../fakes/fakeAgentV2.mjs');

export interface LinkOptions {
  /** How the fake agent behaves beside prompts. */
  readonly agent?: Options;
  /** 1 unless given; 2 starts the fake agent of v2. */
  readonly protocol?: ProtocolVersion;
  /** Another program than the fake agent; it should be started through the recorder to have a wire log. */
  readonly command?: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env?: Record<string, string>;
  };
  /** Where that recorder writes. */
  readonly wireLog?: string;
  readonly features?: Partial<ClientFeatures>;
  /** Over defaults that refuse everything. */
  readonly handlers?: Partial<ClientHandlers>;
  /** A longest line below the standard one. */
  readonly maxLineBytes?: number;
  /** How long the agent may read nothing while much waits for it. */
  readonly patienceMs?: number;
}

/**
 * One agent process with our connection to it. Ends with the test, and then its whole wire is checked against the
 * schema.
 */
export class Link {
  readonly process: AgentProcess;
  /** Typed as that of version 1, of which most tests are; one of version 2 has the same calls. */
  readonly connection: AcpConnection;
  readonly updates: { readonly sessionId: string; readonly update: Update }[] = [];
  readonly skipped: { readonly reason: string; readonly line: string }[] = [];
  readonly logged: string[] = [];
  readonly readErrors: Error[] = [];
  readonly linkFailures: string[] = [];
  readonly exited: Promise<AgentExit>;
  /** Where the agent, or the recorder before it, writes down the wire. */
  readonly logFile: string;
  closed = false;

  constructor(
    readonly folder: string,
    options: LinkOptions,
  ) {
    this.logFile = options.wireLog ?? join(folder, 'wire.ndjson');
    const {
      command = process.execPath,
      args = [options.protocol === 2 ? fakeAgentV2File : fakeAgentFile],
      env = {},
    } = options.command ?? {};
    this.process = new AgentProcess({
      command,
      args,
      cwd: folder,
      env: {
        ...childEnvironment(process.env),
        FAKE_AGENT_LOG: this.logFile,
        FAKE_AGENT_OPTIONS: JSON.stringify(options.agent ?? {}),
        ...env,
      },
    });
    this.exited = new Promise((resolveExit) => this.process.onDidExit(resolveExit));
    const observer = { skipped: (reason: string, line: string) => void this.skipped.push({ reason, line }) };
    const reader = new NdjsonMessageReader(this.process.stdout, observer, options.maxLineBytes);
    reader.onError((error) => this.readErrors.push(error));
    const writer = new NdjsonMessageWriter(this.process.stdin, observer, options.patienceMs);
    writer.onError(([error]) => error instanceof LinkFailure && this.linkFailures.push(error.message));
    const connection = new (options.protocol === 2 ? AcpConnectionV2 : AcpConnection)(
      reader,
      writer,
      this.handlers(options.handlers ?? {}),
      {
        name: 'fake',
        features: { ...allFeatures, ...options.features },
        clientInfo: { name: 'parley', title: 'Parley', version: '0.0.0' },
        log: this.logger(),
      },
    );
    this.connection = connection as AcpConnection;
    this.connection.onDidClose(() => (this.closed = true));
    void this.exited.then(async () => {
      await this.connection.whenClosed;
      this.connection.dispose();
    });
  }

  /** Initializes and opens a session. @returns its id. */
  async open(): Promise<string> {
    await this.connection.initialize();
    return (await this.connection.newSession({ cwd: this.folder, mcpServers: [] })).sessionId;
  }

  /** Text of the agent's messages so far. */
  text(sessionId?: string): string {
    return this.updates
      .flatMap((item) => (sessionId === undefined || item.sessionId === sessionId ? [item.update] : []))
      .map((update) =>
        update.type === 'chunk' && update.role === 'agent' && update.content.type === 'text' ? update.content.text : '',
      )
      .join('');
  }

  /** The wire as the agent recorded it so far. */
  wire(): WireEntry[] {
    return existsSync(this.logFile) ? readWireLog(this.logFile) : [];
  }

  /** What we sent. */
  sent(method?: string): WireMessage[] {
    return messagesOf(this.wire(), '>').filter((message) => method === undefined || message['method'] === method);
  }

  /** Events beside the wire. */
  notes(event: string): WireEntry[] {
    return this.wire().filter((entry) => entry.event === event);
  }

  async dispose(): Promise<void> {
    await this.process.stop();
    this.connection.dispose();
  }

  private handlers(own: Partial<ClientHandlers>): ClientHandlers {
    const refuse = () => Promise.reject(new Error('this test serves no such request'));
    return {
      requestPermission: refuse,
      readTextFile: refuse,
      writeTextFile: refuse,
      createTerminal: refuse,
      terminalOutput: refuse,
      waitForTerminalExit: refuse,
      killTerminal: refuse,
      releaseTerminal: refuse,
      createElicitation: refuse,
      completeElicitation: () => {},
      ...own,
      sessionUpdate: (sessionId, update, receivedAt) => {
        this.updates.push({ sessionId, update });
        own.sessionUpdate?.(sessionId, update, receivedAt);
      },
    };
  }

  private logger(): Logger {
    const write = (level: string) => (message: string) => void this.logged.push(`${level}: ${message}`);
    return {
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
  }
}

/** Starts the fake agent, or another one. Cleaned up, and its wire checked, when the test ends. */
export function startLink(options: LinkOptions = {}): Link {
  const folder = temporaryFolder();
  const link = new Link(folder, options);
  onTestFinished(async () => {
    await link.dispose();
    await waitUntil('the agent process is gone', () => link.process.pid === undefined || !isAlive(link.process.pid));
    if (existsSync(link.logFile)) assertClientWire(link.logFile);
  });
  return link;
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stdio-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie has ended too; only its parent has not asked yet.
  return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readProcessState(pid));
}

function readProcessState(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return `${pid} (gone) Z`;
  }
}

/** A prompt of one text block. */
export function text(...lines: string[]): [{ type: 'text'; text: string }] {
  return [{ type: 'text', text: lines.join('\n') }];
}
