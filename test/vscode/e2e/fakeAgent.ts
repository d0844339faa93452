import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertClientWire } from '../../fakes/clientSchema';
import { messagesOf, readWireLog, type WireMessage } from '../../fakes/wireLog';
import { root } from '../../launch/project.mjs';

/** Where agents that windows share write down their wire, by their options. */
const sharedLogs = new Map<string, string>();

/** A file in a folder of its own, not there yet, for a record of the wire. */
export const newWireLog = (): string => join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson');

/** The scriptable agent as a configured one, with a record of its wire. */
export class FakeAgent {
  /** How many messages came before this test. */
  private earlier = 0;

  /**
   * @param log a file that does not exist yet
   * @param options see test/fakes/agent/options.mjs
   * @param draft its protocol, its program in test/fakes, and its name
   */
  constructor(
    private readonly log: string,
    private readonly options: Record<string, unknown> = {},
    private readonly draft: { readonly protocol?: 1 | 2; readonly program?: string; readonly name?: string } = {},
  ) {}

  /** The agent with these options of all tests that reuse a window: its process may have been started by one before. */
  static shared(options: Record<string, unknown> = {}): FakeAgent {
    const key = JSON.stringify(options);
    const log = sharedLogs.get(key) ?? newWireLog();
    sharedLogs.set(key, log);
    const agent = new FakeAgent(log, options);
    agent.earlier = agent.received().length;
    return agent;
  }

  /** Machine settings that make it the agent to begin with. */
  get settings(): Record<string, unknown> {
    const env = { FAKE_AGENT_LOG: this.log, FAKE_AGENT_OPTIONS: JSON.stringify(this.options) };
    const { protocol = 1, program = 'fakeAgent.mjs', name = 'Fake' } = this.draft;
    return {
      'parley.agents': {
        [name]: {
          command: process.execPath,
          args: [join(root, 'test/fakes', program)],
          env,
          ...(protocol === 1 ? {} : { protocol }),
        },
      },
      'parley.defaultAgent': name,
    };
  }

  /** Messages that the client has sent so far; those of the tests before are left out. */
  received(method?: string): WireMessage[] {
    if (!existsSync(this.log)) return [];
    const messages = messagesOf(readWireLog(this.log), '>').slice(this.earlier);
    return method === undefined ? messages : messages.filter((message) => message['method'] === method);
  }

  /** Every line that went to the agent is one that the schema allows. */
  check(): void {
    assertClientWire(this.log);
  }
}
