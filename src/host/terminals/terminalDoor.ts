import type { TerminalHandlers } from '../../acp/handlers';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { TerminalView } from '../../protocol/terminalView';
import type { AgentTerminalEvent } from '../../thread/agentTerminals';
import type { CommandRun, TerminalPatch, TerminalService } from './terminalService';

/**
 * Serves agents' terminals, and loads the code for them with the first one: many conversations have none. Calls during
 * the load are made in their order. See `TerminalService`.
 */
export class TerminalDoor extends Disposable implements TerminalHandlers {
  readonly #patchEmitter = this.register(new Emitter<TerminalPatch>());
  readonly #runEmitter = this.register(new Emitter<CommandRun>());
  #loading: Promise<TerminalService> | undefined;
  #service: TerminalService | undefined;

  readonly onDidPatch = this.#patchEmitter.event;
  readonly onDidRun = this.#runEmitter.event;

  constructor(private readonly load: () => Promise<TerminalService>) {
    super();
  }

  readonly createTerminal: TerminalHandlers['createTerminal'] = async (...request) =>
    (await this.#loaded()).createTerminal(...request);

  readonly terminalOutput: TerminalHandlers['terminalOutput'] = async (...request) =>
    (await this.#loaded()).terminalOutput(...request);

  readonly waitForTerminalExit: TerminalHandlers['waitForTerminalExit'] = async (...request) =>
    (await this.#loaded()).waitForTerminalExit(...request);

  readonly killTerminal: TerminalHandlers['killTerminal'] = async (...request) =>
    (await this.#loaded()).killTerminal(...request);

  readonly releaseTerminal: TerminalHandlers['releaseTerminal'] = async (...request) =>
    (await this.#loaded()).releaseTerminal(...request);

  applyAgentEvent(sessionId: string, event: AgentTerminalEvent): void {
    void this.#loaded().then((service) => service.applyAgentEvent(sessionId, event));
  }

  views(sessionId: string): readonly TerminalView[] {
    return this.#service?.views(sessionId) ?? [];
  }

  view(sessionId: string, terminalId: string): TerminalView | undefined {
    return this.#service?.view(sessionId, terminalId);
  }

  open(sessionId: string, terminalId: string): boolean {
    return this.#service?.open(sessionId, terminalId) ?? false;
  }

  stop(sessionId: string, terminalId: string): boolean {
    return this.#service?.stop(sessionId, terminalId) ?? false;
  }

  endSession(sessionId: string): void {
    void this.#loading?.then((service) => service.endSession(sessionId));
  }

  disposeSession(sessionId: string): void {
    void this.#loading?.then((service) => service.disposeSession(sessionId));
  }

  #loaded(): Promise<TerminalService> {
    return (this.#loading ??= this.load().then((service) => {
      this.#service = this.register(service);
      this.register(service.onDidPatch((patch) => this.#patchEmitter.fire(patch)));
      this.register(service.onDidRun((run) => this.#runEmitter.fire(run)));
      return service;
    }));
  }
}
