import { expect, it } from 'vitest';
import { CheckpointLog } from '../../../src/changes/checkpointLog';

const version = { content: { kind: 'text', digest: 'a' } } as const;

it('tells which files were restored to before which prompt, until Redo, as the same value', () => {
  const log = new CheckpointLog();
  expect(log.restores).toEqual([]);
  log.apply({
    type: 'saved',
    id: 's1',
    at: 20,
    reason: 'restore',
    prompt: 10,
    files: [
      ['/w/a.ts', version],
      ['/w/b.ts', version],
    ],
  });
  log.apply({ type: 'saved', id: 's2', at: 30, reason: 'undo', files: [['/w/c.ts', version]] });
  const { restores } = log;
  expect(restores).toEqual([{ from: 10, to: 20, paths: ['/w/a.ts', '/w/b.ts'] }]);
  log.apply({ type: 'wrote', prompt: 40, path: '/w/a.ts', before: null, after: 'x' });
  expect(log.restores).toBe(restores);
  log.apply({ type: 'redone', id: 's1' });
  expect(log.restores).toEqual([]);
});

it('a file that takes the name of another one that was touched before another prompt, or that is saved with it, keeps its own records', () => {
  const log = new CheckpointLog();
  const of = (digest: string) => ({ content: { kind: 'text', digest } }) as const;
  log.apply({ type: 'touched', prompt: 1, path: '/w/b', before: of('b0') });
  log.apply({ type: 'wrote', prompt: 1, path: '/w/b', before: 'b0', after: 'b1' });
  log.apply({ type: 'touched', prompt: 2, path: '/w/a', before: of('a0') });
  log.apply({ type: 'wrote', prompt: 2, path: '/w/a', before: 'a0', after: 'a1' });
  log.apply({
    type: 'saved',
    id: 's',
    at: 3,
    reason: 'restore',
    prompt: 1,
    files: [
      ['/w/a', of('a1')],
      ['/w/b', of('b1')],
    ],
  });
  log.apply({ type: 'moved', from: '/w/a', to: '/w/b' });
  expect([[...log.since(1).keys()].sort(), log.restores]).toEqual([
    ['/w/a', '/w/b'],
    [{ from: 1, to: 3, paths: ['/w/a', '/w/b'] }],
  ]);
  // A name that nothing has is taken.
  log.apply({ type: 'moved', from: '/w/a', to: '/w/c' });
  expect([[...log.since(1).keys()].sort(), log.restores]).toEqual([
    ['/w/b', '/w/c'],
    [{ from: 1, to: 3, paths: ['/w/c', '/w/b'] }],
  ]);
});
