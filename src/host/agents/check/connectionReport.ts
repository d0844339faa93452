import * as l10n from '@vscode/l10n';
import type { AgentFeatures } from '../../../acp/capabilities';
import type { ProtocolVersion } from '../../../acp/agentConnection';
import type { CancellationToken } from '../../../base/cancellation';
import type { ConnectionTestView } from '../../../protocol/agentForm';
import type { AgentConfiguration } from '../agentSettings';
import type { AgentCheck } from './agentCheck';

/** The version of the protocol in which an agent answered. */
export function versionWords(version: ProtocolVersion): string {
  return version === 1 ? l10n.t('ACP version 1') : l10n.t('ACP version {0} (draft)', version);
}

/** An agent's information about itself from a test, one entry a line. Its texts are hostile. */
export function connectionReport(
  { info, prompt, loadSession, resume, list, mcp, authMethods }: AgentFeatures,
  protocol: ProtocolVersion,
): readonly { readonly label: string; readonly text: string }[] {
  const can = [
    [prompt.image, l10n.t('images')],
    [prompt.audio, l10n.t('audio')],
    [prompt.embeddedContext, l10n.t('attached files')],
    [loadSession || resume, l10n.t('earlier sessions')],
    [list, l10n.t('a list of sessions')],
    [mcp.http, l10n.t('MCP over HTTP')],
  ] as const;
  const words = can.flatMap(([isOffered, what]) => (isOffered ? [what] : []));
  return [
    {
      label: l10n.t('Agent'),
      text: info
        ? [info.title ?? info.name, info.version].filter(Boolean).join(' ').slice(0, 200)
        : l10n.t('Name not given'),
    },
    { label: l10n.t('Protocol'), text: versionWords(protocol) },
    {
      label: l10n.t('Supports'),
      text: words.length === 0 ? l10n.t('Text only') : l10n.t('Text, {0}', words.join(', ')),
    },
    {
      label: l10n.t('Sign-in'),
      text:
        authMethods.length === 0
          ? l10n.t('No sign-in methods')
          : authMethods
              .map(({ name }) => name.slice(0, 80))
              .slice(0, 10)
              .join(', '),
    },
  ];
}

/** The first half of a check, for an agent whose form is not saved yet: whether it answers, and its capabilities. */
export async function testConnection(
  check: Pick<AgentCheck, 'run'>,
  configuration: AgentConfiguration,
  token: CancellationToken,
): Promise<ConnectionTestView> {
  const { view, features, protocol } = await check.run({ configuration, until: 'speaks' }, token, () => undefined);
  if (features) return { state: 'done', lines: connectionReport(features, protocol ?? 1) };
  const failed = view.steps.find(({ state }) => state === 'failed');
  const problem = failed ? [failed.text, failed.help].filter(Boolean).join(' ') : l10n.t('The test was cancelled.');
  return { state: 'failed', problem, ...(view.stderr ? { stderr: view.stderr } : {}) };
}
