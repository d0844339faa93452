import type { SessionMode } from '@agentclientprotocol/sdk';

export type ModeId = 'ask' | 'auto' | 'plan' | 'bypass';

export const modes: readonly (SessionMode & { readonly id: ModeId })[] = [
  { id: 'ask', name: 'Ask first', description: 'Asks before every edit and every command' },
  { id: 'auto', name: 'Accept edits', description: 'Edits files without asking, still asks before commands' },
  { id: 'plan', name: 'Plan only', description: 'Reads and plans, changes nothing' },
  { id: 'bypass', name: 'Bypass permissions', description: 'Never asks; meant for disposable environments' },
];

export function isModeId(id: unknown): id is ModeId {
  return modes.some((mode) => mode.id === id);
}

export function modeName(id: ModeId): string {
  return modes.find((mode) => mode.id === id)?.name ?? id;
}
