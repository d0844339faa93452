import * as l10n from '@vscode/l10n';
import type { ProtocolVersion } from '../../acp/agentConnection';
import type { NoticeWords } from '../../thread/words';
import type { AgentConfiguration } from './agentSettings';

/** An agent that was asked for the draft does not speak it; Parley starts another process with version 1. */
export class VersionRefused extends Error {
  /** @param said the agent's answer, in words. */
  constructor(readonly said: string) {
    super(said);
    this.name = 'VersionRefused';
  }
}

/**
 * The version of ACP for each agent. An agent that refused the draft is not asked for it again until its entry changes.
 */
export class ProtocolVersions {
  readonly #refusals = new Set<string>();

  of(configuration: AgentConfiguration): ProtocolVersion {
    return this.#refusals.has(programOf(configuration)) ? 1 : (configuration.protocol ?? 1);
  }

  /** @returns the notice for the user, once. */
  refuse(configuration: AgentConfiguration, said: string): NoticeWords {
    this.#refusals.add(programOf(configuration));
    return {
      severity: 'info',
      title: l10n.t('{0} speaks version 1 of the Agent Client Protocol', configuration.name),
      detail: l10n.t(
        'The setting asks for the draft of version 2, but {0}. Parley restarted the agent with version 1.',
        said,
      ),
      actions: ['editSettings'],
    };
  }
}

function programOf({ command, args, env, cwd }: AgentConfiguration): string {
  return JSON.stringify([command, args, env, cwd]);
}
