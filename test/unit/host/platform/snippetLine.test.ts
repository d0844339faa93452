import { expect, it } from 'vitest';
import { lineOfSnippet } from '../../../../src/host/panel/panelQuestions';

it.each([
  ['a\nb\nc', ['b'], 2],
  ['a\r\nb\r\nc', ['b\nc'], 2],
  ['a\nb', ['x', 'a'], 1],
  ['a\nb\na', ['a'], undefined],
  ['ab\nb c', ['b'], undefined],
  ['a', ['', ' '], undefined],
  ['', ['a'], undefined],
])('in %j the lines %j begin at %s', (file, texts, line) => expect(lineOfSnippet(file, texts)).toBe(line));
