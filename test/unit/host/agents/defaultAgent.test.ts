import { expect, it, vi } from 'vitest';
import { defaultAgentName } from '../../../../src/host/agents/defaultAgent';

const settings = vi.hoisted(() => ({ globalValue: undefined as string | undefined }));
vi.mock('vscode', () => ({
  workspace: {
    getConfiguration: () => ({ inspect: () => ({ defaultValue: 'Parley Demo', workspaceValue: 'Evil', ...settings }) }),
  },
}));

it.each([
  { set: undefined, last: undefined, is: 'Parley Demo' },
  { set: undefined, last: 'Codex', is: 'Codex' },
  { set: 'Claude Code', last: 'Codex', is: 'Claude Code' },
])(
  'a workspace without a selected agent begins with $is where the setting is $set and $last was selected last',
  ({ set, last, is }) => {
    settings.globalValue = set;
    expect(defaultAgentName(last)).toBe(is);
  },
);
