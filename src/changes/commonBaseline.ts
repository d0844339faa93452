import { Ledger } from './ledger';

/**
 * The text of a file before all sessions that changed it. Each session treats edits of the others as the user's, so its
 * baseline includes them. Each session's changes are therefore undone in turn, the newest first.
 * @param ledgers the ledgers that follow the file, the oldest session's first.
 * @returns undefined if the file did not exist.
 */
export function commonBaseline(path: string, ledgers: readonly Ledger[]): string | undefined {
  let text = ledgers.at(-1)?.current(path);
  for (const ledger of ledgers.toReversed()) {
    const entry = ledger.saved.get(path);
    if (!entry) continue;
    const alone = new Ledger();
    alone.restore(new Map([[path, entry]]));
    alone.edited(path, text);
    const plan = alone.plan(path, 'before');
    if (plan) ({ text } = plan);
  }
  return text;
}
