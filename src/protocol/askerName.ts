import * as l10n from '@vscode/l10n';
import { visibleLine } from '../base/visibleText';
import type { PendingQuestionView } from './questionView';

/** Characters of a subagent's name. The agent writes it, and what it asks must not be pushed out of sight. */
const longest = 60;

/** Who asks a question that waits. */
export function askerOf(agent: string, question: Pick<PendingQuestionView, 'kind' | 'subagent'> | undefined): string {
  return question?.kind === 'own' ? 'Parley' : askerName(agent || l10n.t('The agent'), question?.subagent);
}

/** Who asks for something: the agent, and its subagent where it is one. */
export function askerName(agent: string, subagent: string | undefined): string {
  return subagent === undefined ? agent : l10n.t('{0} (subagent “{1}”)', agent, visibleLine(subagent, longest));
}
