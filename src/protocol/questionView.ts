import * as l10n from '@vscode/l10n';
import { visibleLine } from '../base/visibleText';
import type { EntryId } from './entryId';
import type { PermissionOptionView } from './permissionView';

/** A pending question to the user: from the agent, or from Parley itself (`own`). */
export interface PendingQuestionView {
  readonly requestId: string;
  readonly entryId: EntryId;
  readonly kind: 'permission' | 'elicitation' | 'own';
  readonly title: string;
  readonly askedAt: number;
  /** The name of the subagent that asks; absent if the agent itself does. */
  readonly subagent?: string;
  /** A summary that can be answered without the card. */
  readonly brief?: BriefView;
}

/** A permission request in one line. */
export interface BriefView {
  /** The command on one line, or the title. */
  readonly text: string;
  readonly isCode: boolean;
  /**
   * `text` has everything about the request: a short command without risks. Any other request can be allowed only from
   * its card.
   */
  readonly isWhole: boolean;
  /** The yes that allows least and the no that forbids least, if the agent offers them. */
  readonly allow?: PermissionOptionView;
  readonly reject?: PermissionOptionView;
  /** The yes is suggested, as on the card: it is a plain one, and there are no risks. */
  readonly suggestsYes?: true;
}

/** A pending question of a session that is out of sight. */
export interface WaitingElsewhereView {
  /** The session's key. */
  readonly key: string;
  readonly agent: string;
  readonly title: string;
  /** Absent if the session waits for a sign-in. */
  readonly question?: PendingQuestionView;
}

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
