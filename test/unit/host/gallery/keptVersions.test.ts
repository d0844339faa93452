import { expect, test, vi } from 'vitest';
import { decodeAgent } from '../../../../src/host/agents/agentSettings';
import { KeptVersions } from '../../../../src/host/gallery/keptVersions';
import { MemoryState } from '../../../fakes/memoryState';

const settings = vi.hoisted(() => ({ agents: {} as Record<string, object> }));
vi.mock('vscode', () => ({
  workspace: { getConfiguration: () => ({ inspect: () => ({ globalValue: settings.agents }) }) },
}));

test.each([
  [['1.0.0', '1.1.0', '2.0.0']],
  [['1.0.0', '1.1.0', '7']],
  [['9', '8', '7']],
  [['1.0.0', '1.1.0', '1.0.0', '2.0.0']],
])('the entry of the version that was replaced last stays: %o', async (versions) => {
  const kept = new KeptVersions(new MemoryState());
  for (const version of versions) {
    settings.agents = { a: { uv: `agent==${version}` } };
    const configuration = decodeAgent('a', settings.agents['a']);
    if (typeof configuration === 'string') throw new Error(configuration);
    await kept.keep('a', configuration);
    expect(kept.entryOf('a', version)).toEqual(settings.agents['a']);
  }
});
