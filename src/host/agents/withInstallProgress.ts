import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { Logger } from '../../base/log';
import { InstallFailure } from '../../node/installFailure';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { AgentInstaller } from './agentInstaller';
import { installWords } from './installWords';

export interface InstallProgressServices {
  readonly installer: AgentInstaller;
  readonly log: Logger;
}

/** Runs work with progress and Cancel, and shows why it failed. @returns undefined then. */
export async function withInstallProgress<T>(
  name: string,
  what: string,
  { installer, log }: InstallProgressServices,
  title: string,
  act: (token: CancellationToken, report: (message: string) => void) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await markedWindow.withProgress(
      { location: vscode.ProgressLocation.Notification, title: plainText(title, 200), cancellable: true },
      (progress, token) => act(token, (message) => progress.report({ message: plainText(message, 200) })),
    );
  } catch (error) {
    const { problem } = InstallFailure.of(error);
    log.warn(`${what}: ${String(error)}`);
    if (problem.kind === 'cancelled') return undefined;
    const words = installWords(problem, name, what, installer.store.root);
    void markedWindow.showErrorMessage(plainText(`${words.title}. ${words.detail}`, 1_000));
    return undefined;
  }
}
