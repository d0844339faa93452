import type { CancellationToken } from '../../base/cancellation';
import type { PermissionChoice } from '../../acp/decodeRequest';
import type { Session } from '../../thread/session';

const options: readonly PermissionChoice[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'refuse', name: 'Refuse', kind: 'reject_once' },
];

/** A file outside the session's folders that an agent asks for. */
export interface OutsideFile {
  /** As the agent spells it. */
  readonly asked: string;
  /** Where that leads, links resolved. */
  readonly real: string;
}

/**
 * Asks whether an agent may touch one file outside the session's folders, as a card in its thread. No answer is no
 * permission, and the request waits as long as the person does.
 */
export async function askOutside(session: Session, { asked, real }: OutsideFile, access: 'read' | 'write', token: CancellationToken): Promise<boolean> {
  const name = asked === real ? '' : ` — asked for as ${asked}`;
  const title = `${access === 'read' ? 'Read' : 'Write'} outside the workspace: ${real}${name}`;
  return (await session.ask(title, access === 'read' ? 'read' : 'edit', [{ path: real }], options, token)) === 'allow';
}
