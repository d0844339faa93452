import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptInserted, ProtocolVersion, TurnEnd } from '../../../src/acp/agentConnection';
import { nothingOffered } from '../../../src/acp/decodeOptions';
import { decodePermission } from '../../../src/acp/decodeRequest';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import type { TurnUsage } from '../../../src/acp/decodeUsage';
import { AcpError } from '../../../src/acp/errors';
import { decodePermissionV2 } from '../../../src/acp/v2/decodePermission';
import { decodeUpdateV2 } from '../../../src/acp/v2/decodeUpdateV2';
import { CancellationSource } from '../../../src/base/cancellation';
import { Deferred } from '../../../src/base/deferred';
import { silentLogger } from '../../../src/base/log';
import type { ThreadAction } from '../../../src/thread/actions';
import { Session } from '../../../src/thread/session';
import type { Thread } from '../../../src/thread/thread';
import { FakeClock } from '../../fakes/fakeClock';

/** One thing that happens to a session, from either side. Each takes 100 ms. */
export type Step =
  | { readonly prompt: string | ContentBlock[] }
  | { readonly update: object }
  | { readonly permission: object }
  | { readonly withdraw: number }
  | { readonly choose: [requestId: string, optionId: string] }
  | { readonly cancel: true }
  /** Of v2: the answer to the prompt. */
  | { readonly inserted: string }
  | { readonly cancelCall: string }
  | { readonly end: string; readonly usage?: TurnUsage }
  | { readonly dismissNotice: string }
  | { readonly fail: { code: number; message: string; data?: unknown } }
  | { readonly detach: true }
  | { readonly wait: number };

export interface Scenario {
  readonly rule: string;
  /** 1 unless given. */
  readonly version?: ProtocolVersion;
  /** The session begins here, and has no history that the agent could tell. */
  readonly isNew?: boolean;
  readonly steps: readonly Step[];
  readonly thread: readonly string[];
  /** What went to the agent, in order. */
  readonly wire: readonly string[];
}

/** Plays a scenario against a real Session with a link that only records. */
export class ScenarioPlayer {
  readonly clock = new FakeClock();
  readonly wire: string[] = [];
  readonly actions: ThreadAction[] = [];
  readonly session: Session;
  /** The part of its ids that tells when the session was opened. */
  private readonly openedAt = this.clock.now().toString(36);
  private prompts: Deferred<TurnEnd | PromptInserted>[] = [];
  private readonly permissions: CancellationSource[] = [];

  constructor(
    private readonly version: ProtocolVersion = 1,
    isNew = false,
    initial?: Thread,
  ) {
    this.session = new Session('local', this.clock, silentLogger, initial);
    this.session.onDidAct((action) => this.actions.push(action));
    this.session.attach(
      {
        sessionId: 's1',
        link: {
          prompt: (_id, blocks) => {
            this.wire.push(`prompt ${JSON.stringify(blocks)}`);
            const answer = new Deferred<TurnEnd | PromptInserted>();
            this.prompts.push(answer);
            return answer.promise;
          },
          cancel: async () => void this.wire.push('cancel'),
          workOutlivesTurn: version === 2,
          cancelToolCall: async (_id, toolCallId) => void this.wire.push(`cancel call ${toolCallId}`),
          setMode: async (_id, modeId) => void this.wire.push(`set_mode ${modeId}`),
          setModel: async (_id, modelId) => void this.wire.push(`set_model ${modelId}`),
          setConfigOption: async (_id, configId, value) =>
            void this.wire.push(`set_config_option ${configId} ${value}`) as undefined,
        },
      },
      nothingOffered,
      isNew,
    );
  }

  async play(step: Step): Promise<void> {
    this.clock.advance(100);
    if ('prompt' in step)
      void this.session.prompt(typeof step.prompt === 'string' ? [{ type: 'text', text: step.prompt }] : step.prompt);
    else if ('update' in step) this.applyUpdate(step.update);
    else if ('permission' in step) this.ask(step.permission);
    else if ('withdraw' in step) this.permissions[step.withdraw]!.cancel();
    else if ('choose' in step)
      this.session.selectPermission(`local-${this.openedAt}-${step.choose[0]}`, step.choose[1]);
    else if ('cancel' in step) this.session.cancel();
    else if ('inserted' in step) this.prompts.shift()!.resolve({ messageId: step.inserted });
    else if ('cancelCall' in step) await this.session.cancelToolCall(step.cancelCall);
    else if ('end' in step)
      this.prompts.shift()!.resolve({ stopReason: step.end, ...(step.usage ? { usage: step.usage } : {}) });
    else if ('dismissNotice' in step) this.session.dismissNotice(step.dismissNotice);
    else if ('fail' in step)
      this.prompts.shift()!.reject(new AcpError(step.fail.code, step.fail.message, step.fail.data));
    else if ('detach' in step) this.session.detach();
    else this.clock.advance(step.wait);
    // Promise reactions run before the next step, as they would before the next message of the wire.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }

  private applyUpdate(raw: object): void {
    const { value } = this.version === 1 ? decodeUpdate(raw) : decodeUpdateV2(raw);
    if (value) this.session.applyUpdate(value);
  }

  private ask(raw: object): void {
    const source = new CancellationSource();
    const index = this.permissions.push(source) - 1;
    let params;
    try {
      params = (this.version === 1 ? decodePermission : decodePermissionV2)(
        { sessionId: 's1', ...raw },
        () => undefined,
      );
    } catch (error) {
      this.wire.push(`permission ${index} refused: ${(error as Error).message}`);
      return;
    }
    void this.session
      .requestPermission(params, source.token)
      .then((response) => this.wire.push(`permission ${index} ${JSON.stringify(response.outcome)}`));
  }
}
