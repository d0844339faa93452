import * as l10n from '@vscode/l10n';
import { visibleLine } from '../base/visibleText';
import type { PendingQuestionView } from './questionView';

/** The most characters of a subagent's name. The agent writes it, and it must not push the request out of sight. */
const longest = 60;

/** The name of the agent or subagent that asks a pending question. */
export function askerOf(agent: string, question: Pick<PendingQuestionView, 'kind' | 'subagent'> | undefined): string {
  return question?.kind === 'own' ? 'Parley' : askerName(agent || l10n.t('The agent'), question?.subagent);
}

/** The name to show for a request: the agent's, with its subagent's if there is one. */
export function askerName(agent: string, subagent: string | undefined): string {
  return subagent === undefined ? agent : l10n.t('{0} (subagent “{1}”)', agent, visibleLine(subagent, longest));
}
