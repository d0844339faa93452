import { expect, it } from 'vitest';
import { CheckpointLog } from '../../../src/changes/checkpointLog';

const version = { text: 'a', review: null };

it('tells which files were restored to before which prompt, until Redo, as the same value', () => {
  const log = new CheckpointLog();
  expect(log.restores).toEqual([]);
  log.apply({ type: 'saved', id: 's1', at: 20, reason: 'restore', prompt: 10, files: [['/w/a.ts', version], ['/w/b.ts', version]] });
  log.apply({ type: 'saved', id: 's2', at: 30, reason: 'undo', files: [['/w/c.ts', version]] });
  const { restores } = log;
  expect(restores).toEqual([{ from: 10, to: 20, paths: ['/w/a.ts', '/w/b.ts'] }]);
  log.apply({ type: 'wrote', prompt: 40, path: '/w/a.ts', before: null, after: 'x' });
  expect(log.restores).toBe(restores);
  log.apply({ type: 'redone', id: 's1' });
  expect(log.restores).toEqual([]);
});
