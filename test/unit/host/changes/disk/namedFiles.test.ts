import { describe, expect, it } from 'vitest';
import { NamedFiles } from '../../../../../src/host/changes/disk/namedFiles';
import { FakeClock } from '../../../../fakes/fakeClock';

describe('NamedFiles', () => {
  const setup = () => {
    const clock = new FakeClock();
    const looks: string[] = [];
    const root = { remember: async (paths: readonly string[]) => void looks.push(paths.join(' ')) };
    return { clock, looks, root, named: new NamedFiles(clock) };
  };

  it('a few are looked at as they come, a flood together', () => {
    const { clock, looks, root, named } = setup();
    for (const path of 'abcdefg') named.add(root, path);
    expect(looks).toEqual(['a', 'b', 'c', 'd']);
    clock.advance(8);
    expect(looks.slice(4)).toEqual(['e f g']);
    named.add(root, 'h');
    expect(looks.slice(5)).toEqual(['h']);
    clock.advance(1_000);
    expect(looks).toHaveLength(6);
  });

  it('folders are looked at by themselves, and the end of a turn waits for nothing', () => {
    const { looks, root, named } = setup();
    const other = { remember: async (paths: readonly string[]) => void looks.push(`other ${paths.join(' ')}`) };
    for (const path of 'abcd') named.add(root, path);
    named.add(root, 'e');
    named.add(other, 'f');
    named.add(root, 'g');
    named.flush();
    expect(looks.slice(4)).toEqual(['e g', 'other f']);
    named.flush();
    expect(looks).toHaveLength(6);
  });
});
