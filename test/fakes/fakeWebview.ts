import type { ToWebview } from '../../src/protocol/messages';
import { Replica } from '../../src/protocol/patch';
import { SyncReceiver } from '../../src/protocol/sync';
import type { PanelView } from '../../src/protocol/viewModel';
import type { Thread } from '../../src/thread/thread';
import type { PanelProjector, SessionInput } from '../../src/view/panelView';

/** A webview that follows the rules: applies, drops or asks again. It draws nothing. */
export class FakeWebview {
  readonly received: ToWebview[] = [];
  readonly receiver = new SyncReceiver();
  replica: Replica | undefined;
  resyncs = 0;
  takes = true;
  /** What is taken is so at once; where this is a list, once the test calls what is in it. */
  late: (() => void)[] | undefined;
  readonly failures: unknown[] = [];

  failed = (error: unknown): void => void this.failures.push(error);

  post = (message: ToWebview): PromiseLike<boolean> => {
    if (!this.takes) return Promise.resolve(false);
    // The channel carries JSON: nothing may rely on shared objects.
    const copy = JSON.parse(JSON.stringify(message)) as ToWebview;
    this.received.push(copy);
    if (copy.type === 'thread/snapshot' && this.receiver.classifySnapshot(copy.stamp) === 'apply') {
      this.replica = new Replica(copy.view);
      this.receiver.commit(copy.stamp);
    } else if (copy.type === 'thread/patch') {
      const verdict = this.receiver.classifyPatch(copy.stamp);
      if (verdict === 'apply') {
        this.replica!.apply(copy.patches);
        this.receiver.commit(copy.stamp);
      } else if (verdict === 'resync') this.resyncs++;
    }
    return this.late ? new Promise((resolve) => this.late!.push(() => resolve(true))) : Promise.resolve(true);
  };
}

/** The panel of a ready agent that shows the thread. */
export function readyPanel(projector: PanelProjector, thread: Thread): PanelView {
  const session: SessionInput = {
    agent: 'A',
    agentTitle: undefined,
    connection: { state: 'ready' },
    signIn: undefined,
    thread,
    cwd: '',
    canForceStop: false,
    canSteer: false,
    takesPrompt: false,
    silentSince: undefined,
    title: undefined,
  };
  return projector.project(session, [{ promptCapabilities: { image: false, audio: false, embeddedContext: false } }]);
}
