import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../base/cancellation';
import type { PermissionChoice } from '../../acp/decodeRequest';
import type { Session } from '../../thread/session';

/** A file outside the session's folders that an agent requests. */
export interface OutsideFile {
  /** In the agent's spelling. */
  readonly asked: string;
  /** Its target, links resolved. */
  readonly real: string;
  /** It belongs to VS Code's settings or Parley's storage. */
  readonly isProtected: boolean;
}

/**
 * Asks whether an agent may access one file outside the session's folders, on a card in its thread. No answer means no
 * permission, and the request has no time limit.
 */
export async function askOutside(
  session: Session,
  { asked, real, isProtected }: OutsideFile,
  access: 'read' | 'write',
  token: CancellationToken,
): Promise<boolean> {
  const options: readonly PermissionChoice[] = [
    { optionId: 'allow', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'refuse', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
  const words = isProtected ? protectedTitle(access, real) : titleOf(access, real);
  const title = asked === real ? words : l10n.t('{0} (requested as {1})', words, asked);
  const kind = access === 'read' ? 'read' : 'edit';
  return (await session.ask({ title, kind, locations: [{ path: real }] }, options, token)) === 'allow';
}

function titleOf(access: 'read' | 'write', real: string): string {
  return access === 'read'
    ? l10n.t('Read outside the workspace: {0}', real)
    : l10n.t('Write outside the workspace: {0}', real);
}

/** A writer of these files may decide which programs run and what is allowed. */
function protectedTitle(access: 'read' | 'write', real: string): string {
  return access === 'read'
    ? l10n.t('Read data of VS Code or Parley: {0}', real)
    : l10n.t('Change settings or data of VS Code or Parley: {0}', real);
}
