import * as l10n from '@vscode/l10n';
import type { PermissionChoice } from '../../acp/decodeRequest';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import type { Session } from '../../thread/session';

/** What the user is asked on a card. */
export interface RunQuestion {
  /** What would happen, in words. */
  readonly title: string;
  readonly kind: 'execute' | 'edit' | 'other';
  /** Shown value by value, and not read as a command or a file. */
  readonly input?: JsonObject;
}

/** Asks on a card in the thread, each time. No answer means no. */
export async function askToRun(
  session: Session,
  { title, kind, input }: RunQuestion,
  token: CancellationToken,
): Promise<boolean> {
  const options: readonly PermissionChoice[] = [
    { optionId: 'allow', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'refuse', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
  // One level deeper, no key has a meaning for the card.
  const rawInput = input && Object.keys(input).length > 0 ? { rawInput: { input } } : {};
  return (await session.ask({ title, kind, locations: [], ...rawInput }, options, token)) === 'allow';
}
