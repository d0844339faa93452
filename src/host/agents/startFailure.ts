import * as l10n from '@vscode/l10n';
import type { AgentExit } from '../../node/agentProcess';
import type { NoticeAction } from '../../protocol/entryView';

/** Why an agent did not start, in words for the panel: what happened, why, and what helps. */
export class StartFailure extends Error {
  constructor(
    readonly title: string,
    readonly detail: string,
    readonly actions: readonly NoticeAction[],
    readonly stderr?: string,
    readonly isCancellation = false,
  ) {
    super(`${title}: ${detail}`);
    this.name = 'StartFailure';
  }

  static cancelled(): StartFailure {
    return new StartFailure(l10n.t('Start cancelled'), '', [], undefined, true);
  }
}

/** The agent has not answered within a limit. */
export class NoAnswer extends Error {
  constructor(readonly seconds: number) {
    super(`${seconds} s`);
    this.name = 'NoAnswer';
  }
}

export const usual: readonly NoticeAction[] = ['restart', 'editSettings', 'showLog'];

/** The end of a process, as a sentence. */
export function exitWords({ signal, code }: Pick<AgentExit, 'signal' | 'code'>): string {
  if (signal) return l10n.t('The signal {0} ended the process.', signal);
  return code === null ? l10n.t('The process ended.') : l10n.t('The process ended with exit code {0}.', code);
}
