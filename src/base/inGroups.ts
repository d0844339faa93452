/** Runs `work` for all items, a few at a time. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<unknown>, atOnce = 8): Promise<void> {
  for (let i = 0; i < items.length; i += atOnce) await Promise.all(items.slice(i, i + atOnce).map(work));
}
