import { expect, test } from 'vitest';
import { findAgent } from '../../launch/agentName.mjs';

const names = ['Parley Demo', 'Claude Code', 'Codex', 'Gemini CLI', 'Copilot CLI', 'Qwen Code'];

test.each([
  ['Gemini CLI', 'Gemini CLI'],
  ['gemini', 'Gemini CLI'],
  ['demo', 'Parley Demo'],
  ['codex', 'Codex'],
  ['co', undefined],
  ['nobody', undefined],
])('"%s" means %s', (wanted, expected) => {
  expect(findAgent(wanted, names)).toBe(expected);
});
