const AT_ONCE = 8;

/** Runs `work` for all items, a few at a time. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>, atOnce = AT_ONCE): Promise<void> {
  for (let i = 0; i < items.length; i += atOnce) await Promise.all(items.slice(i, i + atOnce).map(work));
}
