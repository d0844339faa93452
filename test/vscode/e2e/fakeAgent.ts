import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertClientWire } from '../../fakes/clientSchema';
import { messagesOf, readWireLog, type WireMessage } from '../../fakes/wireLog';
import { root } from '../../launch/project.mjs';

/** The scriptable agent as a configured one, with a record of its wire. */
export class FakeAgent {
  /** @param log a file that does not exist yet @param options see test/fakes/agent/options.mjs @param draft its protocol and its program in test/fakes */
  constructor(
    private readonly log: string,
    private readonly options: Record<string, unknown> = {},
    private readonly draft: { readonly protocol?: 1 | 2; readonly program?: string } = {},
  ) {}

  /** Machine settings that make it the agent to begin with. */
  get settings(): Record<string, unknown> {
    const env = { FAKE_AGENT_LOG: this.log, FAKE_AGENT_OPTIONS: JSON.stringify(this.options) };
    const { protocol = 1, program = 'fakeAgent.mjs' } = this.draft;
    return {
      'parley.agents': { Fake: { command: process.execPath, args: [join(root, 'test/fakes', program)], env, ...(protocol === 1 ? {} : { protocol }) } },
      'parley.defaultAgent': 'Fake',
    };
  }

  /** Messages that the client has sent so far. */
  received(method?: string): WireMessage[] {
    if (!existsSync(this.log)) return [];
    const messages = messagesOf(readWireLog(this.log), '>');
    return method === undefined ? messages : messages.filter((message) => message['method'] === method);
  }

  /** Every line that went to the agent is one that the schema allows. */
  check(): void {
    assertClientWire(this.log);
  }
}
