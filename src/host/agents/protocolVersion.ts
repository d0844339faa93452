import type { ProtocolVersion } from '../../acp/agentConnection';
import type { NoticeWords } from '../../thread/words';
import type { AgentConfiguration } from './agentSettings';

/** An agent that was asked for the draft does not speak it; another process of it is asked for version 1. */
export class VersionRefused extends Error {
  /** @param said what the agent answered, in words. */
  constructor(readonly said: string) {
    super(`The agent does not speak the draft: ${said}`);
    this.name = 'VersionRefused';
  }
}

/** Which version of ACP each agent is spoken to in. What refused the draft once is not asked for it again until its entry changes. */
export class ProtocolVersions {
  private readonly refusals = new Set<string>();

  of(configuration: AgentConfiguration): ProtocolVersion {
    return this.refusals.has(programOf(configuration)) ? 1 : (configuration.protocol ?? 1);
  }

  /** @returns what the person is told of it, once. */
  refuse(configuration: AgentConfiguration, said: string): NoticeWords {
    this.refusals.add(programOf(configuration));
    return {
      severity: 'info',
      title: `${configuration.name} speaks version 1 of the Agent Client Protocol`,
      detail: `Its setting asks for the draft of version 2, but ${said}. It was started anew with version 1.`,
      actions: ['editSettings'],
    };
  }
}

function programOf({ command, args, env, cwd }: AgentConfiguration): string {
  return JSON.stringify([command, args, env, cwd]);
}
