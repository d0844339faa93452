/** How long work on thousands of files may block the host, in milliseconds. */
const SLICE_MS = 12;

/** Runs the steps of some work in slices. @returns the result of the work */
export async function inSlices<T>(steps: Iterator<void, T>): Promise<T> {
  const nextPart = slices();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await nextPart();
  }
}

/**
 * Cuts long work into slices. Awaiting the result before each small part lets the host do other work in between; it is
 * true if it did. Awaiting settled promises alone is not enough: the host does nothing else while there are any.
 *
 * const nextPart = slices(); for (const file of files) { await nextPart(); work(file); }
 */
export function slices(): () => Promise<boolean> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return false;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
    return true;
  };
}
