import { describe, expect, test } from 'vitest';
import { commandSteps } from '../../../webview/parts/permissionSubject';

/** "operator text" of each line; "runs" for what runs inside of the one above. */
const lines = (command: string, steps: string[]) =>
  commandSteps(command, steps).map(({ operator, text, isInner }) => `${isInner ? 'runs' : operator} ${text}`.trim());

describe('the parts of a command line', () => {
  test.each<[string, string[], string[]]>([
    ['npm test', ['npm test'], ['npm test']],
    ['a && b || c; d | e', ['a', 'b', 'c', 'd', 'e'], ['a', '&& b', '|| c', '; d', '| e']],
    ['a\nb', ['a', 'b'], ['a', 'b']],
    ['sudo rm x; ls', ['sudo rm x', 'rm x', 'ls'], ['sudo rm x', 'runs rm x', '; ls']],
    ['(cd a && make)', ['cd a', 'make'], ['( cd a', '&& make', ')']],
    ['x; x', ['x', 'x'], ['x', '; x']],
  ])('%s', (command, steps, expected) => {
    expect(lines(command, steps)).toEqual(expected);
  });

  test('what was not understood is shown all the same', () => {
    expect(lines('a && b --hidden; rm -rf /', ['a', 'b'])).toEqual(['a', '&& b', '--hidden; rm -rf /']);
    expect(lines('a && b', ['z'])).toEqual(['runs z', 'a && b']);
    expect(lines('a', [])).toEqual(['a']);
  });

  test('characters that hide or reorder are marked, also between the parts', () => {
    expect(lines('a\u202eb;\ufeff c # \u200b', ['a\u202eb', 'c'])).toEqual(['a⟨U+202E⟩b', ';⟨U+FEFF⟩ c', '# ⟨U+200B⟩']);
  });
});
