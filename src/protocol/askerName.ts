import * as l10n from '@vscode/l10n';
import { visibleLine } from '../base/visibleText';

/** Characters of a subagent's name. The agent writes it, and what it asks must not be pushed out of sight. */
const longest = 60;

/** Who asks for something: the agent, and its subagent where it is one. */
export function askerName(agent: string, subagent: string | undefined): string {
  return subagent === undefined ? agent : l10n.t('{0} (subagent “{1}”)', agent, visibleLine(subagent, longest));
}
