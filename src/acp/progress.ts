/** How far a call or a step of a plan is. */
export type Progress = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** The schema's words, and synonyms that agents use. */
const words: Readonly<Record<Progress, readonly string[]>> = {
  pending: ['pending', 'queued', 'todo', 'notstarted', 'waiting', 'scheduled', 'awaitingapproval', 'requiresaction'],
  in_progress: ['inprogress', 'running', 'started', 'executing', 'active', 'working', 'ongoing'],
  completed: ['completed', 'complete', 'done', 'success', 'succeeded', 'successful', 'finished', 'ok'],
  failed: [
    'failed',
    'failure',
    'error',
    'errored',
    'timeout',
    'timedout',
    'rejected',
    'denied',
    'declined',
    'blocked',
    'expired',
  ],
  cancelled: ['cancelled', 'canceled', 'aborted', 'interrupted', 'skipped', 'stopped', 'killed', 'terminated'],
};
const known: ReadonlyMap<string, Progress> = new Map(
  Object.entries(words).flatMap(([progress, all]) => all.map((word) => [word, progress as Progress] as const)),
);

/** Reads a status in any known spelling. `undefined` for any other value. */
export function progressOf(value: unknown): Progress | undefined {
  return typeof value === 'string' ? known.get(value.toLowerCase().replace(/[^a-z]/g, '')) : undefined;
}
