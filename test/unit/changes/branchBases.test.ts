import { expect, it } from 'vitest';
import { differInBranchBases } from '../../../src/changes/diskRules';

const core = '[core]\n\tbare = false\n';
const base = '\tvscode-merge-base = origin/main\n';
const remote = '[branch "b"]\n\tremote = origin\n\tmerge = refs/heads/b\n';

it.each<[rule: string, onlyBases: boolean, before: string, after: string]>([
  ['a new branch', true, core, `${core}[branch "a b"]\n${base}`],
  ['a branch that is known', true, core + remote, core + remote + base],
  ['another base', true, `${core}[branch "a"]\n${base}`, `${core}[branch "a"]\n${base.replace('main', 'next')}`],
  ['a base before another section', true, core, `[branch "a"]\n${base}${core}`],
  ['nothing', false, core, core],
  ['a hook path', false, core, `${core}[branch "a"]\n${base}\thooksPath = x\n`],
  ['a section that is no branch', false, core, `${core}[alias]\n`],
  ['a line that goes on in the next', false, core, `${core}[branch "a"]\n\tvscode-merge-base = x\\\n`],
  ['a section behind a branch on one line', false, core, `${core}[branch "a"] x = y\n${base}`],
  ['where a push goes', false, core, core + remote],
  [
    'what is in a section, moved to another',
    false,
    `${core}[branch "a"]\n${base}[alias]\n\tx = y\n`,
    `${core}\tx = y\n[branch "a"]\n${base}[alias]\n`,
  ],
])('%s differs in bases alone: %s', (_, onlyBases, before, after) => {
  expect(differInBranchBases(before, after)).toBe(onlyBases);
});
