import * as l10n from '@vscode/l10n';
import type { Later } from '../../base/later';
import { decidedBy } from '../../permission/rules';
import { nameOf, pendingPermissions } from '../../thread/permissionRequests';
import { indexOfEntry } from '../../thread/thread';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { PermissionGate } from '../permissions/permissionGate';
import type { PermissionHistory } from '../permissions/permissionHistory';
import type { RuleSettings } from '../permissions/ruleSettings';

/** Commands for rules and past answers. The pickers are loaded with the first one. */
export class PermissionCommands {
  constructor(
    private readonly gate: Later<PermissionGate>,
    private readonly history: PermissionHistory,
    private readonly rules: RuleSettings,
    private readonly sessions: SessionService,
  ) {}

  async showRules(): Promise<void> {
    (await import('../permissions/permissionViews')).showRules(this.rules);
  }

  async showHistory(): Promise<void> {
    (await import('../permissions/permissionViews')).showHistory(this.history.records);
  }

  async exportHistory(): Promise<void> {
    await (await import('../permissions/permissionViews')).exportHistory(this.history.records);
  }

  /**
   * Offers rules made from a pending request of a session, named as by `nameOf`; without a name from the oldest one.
   */
  async addRule(requestId?: string, { session } = this.sessions.active): Promise<void> {
    const [oldest] = pendingPermissions(session.thread);
    const asked = requestId ?? (oldest && nameOf(oldest));
    const suggestions = asked === undefined ? undefined : await (await this.gate.get()).suggest(session, asked);
    if (!suggestions) return this.showRules();
    await (await import('../permissions/permissionViews')).addSuggested(suggestions, this.rules);
  }

  /**
   * Switches off the rules that answered a call of a session. The user must agree first, because the panel alone may
   * change no setting.
   */
  async disableRules(entryId: string, { session }: LiveSession): Promise<void> {
    const call = session.thread.entries.at(indexOfEntry(entryId));
    if (call?.kind !== 'toolCall' || !call.decidedBy) return;
    const names = call.decidedBy;
    const rules = names.map((name) => `“${plainText(name, 100)}”`).join(', ');
    const disable = l10n.t('Disable');
    const question =
      names.length === 1 ? l10n.t('Disable the rule {0}?', rules) : l10n.t('Disable the rules {0}?', rules);
    if (
      (await markedWindow.showWarningMessage(
        question,
        { modal: true, detail: l10n.t('Parley asks you again from the next request.') },
        disable,
      )) !== disable
    )
      return;
    await this.rules.enable(decidedBy(names, call.decision?.kind === 'allow_once'), false);
  }
}
