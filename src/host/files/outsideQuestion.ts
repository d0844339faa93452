import type { CancellationToken } from '../../base/cancellation';
import type { PermissionChoice } from '../../acp/decodeRequest';
import type { Session } from '../../thread/session';

const options: readonly PermissionChoice[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'refuse', name: 'Refuse', kind: 'reject_once' },
];

/**
 * Asks whether an agent may touch one file outside the session's folders, as a card in its thread. No answer is no
 * permission, and the request waits as long as the person does.
 */
export async function askOutside(session: Session, path: string, access: 'read' | 'write', token: CancellationToken): Promise<boolean> {
  const title = access === 'read' ? `Read outside the workspace: ${path}` : `Write outside the workspace: ${path}`;
  return (await session.ask(title, access === 'read' ? 'read' : 'edit', [{ path }], options, token)) === 'allow';
}
