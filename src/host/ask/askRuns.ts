import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { CancellationSource, type CancellationToken } from '../../base/cancellation';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { NoAnswerGiven } from './separateAnswer';

/** The words of one run. */
export interface RunWords {
  /** What the agent does now. */
  readonly title: string;
  /** Why a second one does not begin. */
  readonly busy: string;
}

/** Work of agents that only answer, each with a notification whose Cancel stops it. */
export class AskRuns extends Disposable {
  readonly #running = new Map<string, CancellationSource>();

  /** @param changed called when the number of runs changes */
  constructor(
    private readonly log: Logger,
    private readonly changed: (count: number) => void = () => undefined,
  ) {
    super();
  }

  /** One at a time for a key. The user sees why it failed. */
  async run(key: string, { title, busy }: RunWords, work: (token: CancellationToken) => Promise<void>): Promise<void> {
    if (this.#running.has(key)) return void markedWindow.showInformationMessage(busy);
    const source = new CancellationSource();
    this.#running.set(key, source);
    this.changed(this.#running.size);
    try {
      await markedWindow.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (_, token) => {
          token.onCancellationRequested(() => source.cancel());
          await work(source.token);
        },
      );
    } catch (error) {
      if (source.token.isCancellationRequested) return;
      const words = messageOf(error);
      if (!(error instanceof NoAnswerGiven)) this.log.error(`One answer failed: ${words}`);
      void markedWindow.showErrorMessage(plainText(words, 1_000));
    } finally {
      this.#running.delete(key);
      this.changed(this.#running.size);
    }
  }

  /** Stops everything that runs. */
  stop(): void {
    for (const source of this.#running.values()) source.cancel();
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }
}
