import { onTestFinished } from 'vitest';
import { quirksOf } from '../../src/acp/quirks';
import { Emitter } from '../../src/base/event';
import type { RunningAgent } from '../../src/host/agents/agentService';
import type { AgentConfiguration } from '../../src/host/agents/agentSettings';
import { ApiKeys } from '../../src/host/signIn/apiKeys';
import { SignIn, type SignInServices } from '../../src/host/signIn/signIn';
import type { SignInCommand } from '../../src/host/signIn/signInCommand';
import { childEnvironment } from '../../src/node/environment';
import { CommandTerminal } from '../../src/node/commandTerminal';
import { pipeBackend } from '../../src/node/pty';
import { terminalEnvironment } from '../../src/node/terminalEnvironment';
import type { Options } from '../fakes/agent/options.mjs';
import { FakeClock } from '../fakes/fakeClock';
import { fakeAgentFile, type Link, type LinkOptions, startLink } from './harness';
import { waitUntil } from './waitUntil';

/** Methods that an agent may offer. */
export const browser = { id: 'browser', name: 'Sign in with a browser', description: 'Opens a page' };
export const apiKey = { id: 'key', name: 'API key', _meta: { 'api-key': { provider: 'fake' } } };
export const offering = (...authMethods: unknown[]) => ({ initializePatch: { authMethods } });

/** VS Code's secret storage, in memory. */
export class Secrets {
  readonly values = new Map<string, string>();
  get = (key: string) => Promise.resolve(this.values.get(key));
  store = (key: string, value: string) => Promise.resolve(void this.values.set(key, value));
  delete = (key: string) => Promise.resolve(void this.values.delete(key));
}

/** A sign-in as the extension host runs it, over a real pipe, with a user who does what the test says. */
export class SignInDesk extends SignIn {
  readonly logged: string[] = [];
  /** What the user says to VS Code's dialog. */
  agrees = true;
  readonly ran: SignInCommand[] = [];
  readonly askedForKey: string[] = [];
  /** What the user types when asked for a key. */
  key: string | undefined;
  /** A process per start, the running one last. */
  readonly links: Link[] = [];
  readonly configuration: AgentConfiguration;
  private terminal: CommandTerminal | undefined;

  private constructor(
    private readonly options: LinkOptions,
    readonly secrets: Secrets,
    services: SignInServices,
    folder: string,
  ) {
    super('session-1', folder, services);
    this.configuration = {
      name: 'Fake',
      command: process.execPath,
      args: [fakeAgentFile, '--base'],
      env: { FAKE_BASE: 'configured', FAKE_LOGIN: 'configured' },
      capabilities: { ...options.features },
    };
    onTestFinished(() => this.dispose());
  }

  static async open(
    agent: Options = {},
    options: Pick<LinkOptions, 'features' | 'handlers' | 'command' | 'wireLog'> & {
      readonly folder?: string;
      readonly done?: SignInServices['done'];
    } = {},
  ): Promise<SignInDesk> {
    const secrets = new Secrets();
    const box: { desk?: SignInDesk } = {};
    const log = (message: string) => void box.desk?.logged.push(message);
    const services: SignInServices = {
      keys: new ApiKeys(secrets),
      clock: new FakeClock(),
      log: { trace: log, debug: log, info: log, warn: log, error: log },
      askForKey: (_, method) => {
        box.desk?.askedForKey.push(method);
        return Promise.resolve(box.desk?.key);
      },
      agreeToRun: async () => box.desk!.agrees,
      run: (command) => box.desk!.runHere(command),
      done: options.done ?? new Emitter(),
    };
    const desk = new SignInDesk(
      { agent: { authRequired: true, ...agent }, ...options },
      secrets,
      services,
      options.folder ?? process.cwd(),
    );
    box.desk = desk;
    await desk.start();
    return desk;
  }

  get link(): Link {
    return this.links.at(-1)!;
  }

  agent!: RunningAgent;

  /** Everything that was logged, by the sign-in and by the connections. */
  get log(): string {
    return [...this.logged, ...this.links.flatMap(({ logged }) => logged)].join('\n');
  }

  /** Begins to open a session, as the extension does. @returns the agent that it was opened with. */
  open(params = { cwd: this.link.folder, mcpServers: [] }): Promise<RunningAgent> {
    return this.during(this.agent, async (agent) => void (await agent.connection.newSession(params)));
  }

  /** Waits for the card to be at a step. */
  async at(step: string): Promise<void> {
    await waitUntil(`the card is at ${step}`, () => this.view?.step.type === step);
  }

  /** Waits until the card says what went wrong. */
  async problem(): Promise<string> {
    await waitUntil('the card says what went wrong', () => this.view?.problem !== undefined);
    return this.view!.problem!;
  }

  choosing(methodId: string): Promise<void> {
    return this.choose(this.view!.requestId, methodId);
  }

  acts(act: Parameters<SignIn['act']>[1]): void {
    this.act(this.view!.requestId, act);
  }

  /** The user closes the terminal. */
  closeTerminal(): void {
    this.terminal?.dispose();
  }

  /** Methods of our calls so far, of all processes. */
  methods(): string[] {
    return this.links.flatMap((link) =>
      link.sent().flatMap((message) => (message['method'] ? [String(message['method'])] : [])),
    );
  }

  protected override async restart(): Promise<RunningAgent> {
    await this.link.dispose();
    return this.start();
  }

  private async start(): Promise<RunningAgent> {
    const link = startLink(this.options);
    this.links.push(link);
    const features = await link.connection.initialize();
    this.agent = {
      configuration: this.configuration,
      started: this.configuration,
      features,
      quirks: quirksOf(features),
      connection: link.connection,
      routeKey: `Fake#${this.links.length}`,
    };
    return this.agent;
  }

  private runHere(command: SignInCommand): ReturnType<SignInServices['run']> {
    this.ran.push(command);
    const overlay = Object.entries({
      FAKE_AGENT_OPTIONS: JSON.stringify(this.options.agent),
      FAKE_AGENT_LOG: this.link.logFile,
      ...command.env,
    });
    const env = terminalEnvironment(
      childEnvironment(process.env),
      overlay.map(([name, value]) => ({ name, value })),
    );
    const terminal = new CommandTerminal(
      { command: command.command, args: command.args, cwd: command.cwd, env, size: { cols: 80, rows: 24 } },
      pipeBackend,
    );
    this.terminal = terminal;
    return { ended: terminal.whenEnded(), show: () => undefined, close: () => terminal.dispose() };
  }
}
