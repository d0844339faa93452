import { agents } from './installed.mjs';

/** The agents to test: those named in `PARLEY_AGENTS`, or all. */
export function chosenAgents() {
  const names = process.env['PARLEY_AGENTS']?.split(',').filter((name) => name in agents);
  return names && names.length > 0 ? names : Object.keys(agents);
}
