import { expect, it } from 'vitest';
import type { FileContent } from '../../../src/host/diskContent';
import { KeptBytes, withoutBytes } from '../../../src/host/keptBytes';

const binary = (digest: string, size: number): FileContent => ({ kind: 'binary', digest, original: { bytes: new Uint8Array(size), mode: 0o644 } });

it('keeps the bytes of files for Undo until there are too many, and again when some are not needed any more', () => {
  const kept = new KeptBytes(100);
  const first = kept.take(binary('a', 60));
  expect(first).toEqual(binary('a', 60));
  const second = kept.take(binary('b', 60));
  expect(second).toEqual({ kind: 'binary', digest: 'b' });
  expect(kept.take(binary('c', 40))).toEqual(binary('c', 40));
  // What was not kept gives no room back.
  kept.release(second);
  expect(kept.take(binary('d', 60))).toEqual({ kind: 'binary', digest: 'd' });
  kept.release(first);
  expect(kept.take(binary('d', 60))).toEqual(binary('d', 60));
  expect(kept.take({ kind: 'absent' })).toEqual({ kind: 'absent' });
});

it('a content without its bytes is still told from others', () => {
  expect([binary('a', 1), { kind: 'text' as const, text: 'x', original: { bytes: new Uint8Array(1), mode: 0o755 } }, { kind: 'absent' as const }].map(withoutBytes)).toEqual([{ kind: 'binary', digest: 'a' }, { kind: 'text', text: 'x' }, { kind: 'absent' }]);
});
