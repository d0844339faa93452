import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../../base/cancellation';
import type { ConnectionTestView } from '../../../protocol/agentForm';
import type { AgentConfiguration } from '../agentSettings';
import type { AgentCheck } from './agentCheck';
import { connectionReport } from './connectionReport';

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
