/** How long work over thousands of files may keep the host from everything else, in milliseconds. */
const SLICE_MS = 12;

/** Takes the steps of some work in slices. @returns what the work gives */
export async function inSlices<T>(steps: Iterator<void, T>): Promise<T> {
  const nextPart = slices();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await nextPart();
  }
}

/**
 * Cuts long work into slices: whoever awaits the result before each small part of it lets the host do other things in
 * between, and is told whether it did. Awaiting settled promises alone does not: the host goes on to nothing else while
 * there are any.
 *
 *     const nextPart = slices();
 *     for (const file of files) {
 *       await nextPart();
 *       work(file);
 *     }
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
