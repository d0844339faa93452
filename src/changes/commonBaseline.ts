import { Ledger } from './ledger';

/**
 * What a file held before all sessions that changed it. For a session an edit of another one is the person's, so its own
 * baseline has that edit in it: each is asked what it found where the later ones had done nothing.
 * @param ledgers those that follow the file, the oldest session's first.
 * @returns undefined where it did not exist.
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
