const pollMs = 5;

/** Polls until the condition holds. @throws after `deadlineMs`, naming what did not happen. */
export async function waitUntil(what: string, condition: () => unknown, deadlineMs = 25_000): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
