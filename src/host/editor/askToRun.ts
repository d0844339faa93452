import * as l10n from '@vscode/l10n';
import type { PermissionChoice } from '../../acp/decodeRequest';
import type { CancellationToken } from '../../base/cancellation';
import type { Session } from '../../thread/session';

/** Asks on a card in the thread, each time. No answer means no. @param title what would happen, in words */
export async function askToRun(
  session: Session,
  title: string,
  kind: 'execute' | 'edit',
  token: CancellationToken,
): Promise<boolean> {
  const options: readonly PermissionChoice[] = [
    { optionId: 'allow', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'refuse', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
  return (await session.ask(title, kind, [], options, token)) === 'allow';
}
