import type { TestProject } from 'vitest/node';
import { startHarness } from './harness.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which the built panel is served. */
    readonly panelPort: number;
  }
}

let harness: Awaited<ReturnType<typeof startHarness>> | undefined;

/** Builds and serves the panel once for all files of the ring. */
export async function setup(project: TestProject): Promise<void> {
  harness = await startHarness();
  project.provide('panelPort', harness.port);
}

export async function teardown(): Promise<void> {
  await harness?.stop();
}
