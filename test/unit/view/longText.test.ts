import { expect, it } from 'vitest';
import { joinedLines } from '../../../src/base/oneLine';
import { takesWildcard } from '../../../src/permission/wildcardPrograms';
import { joinFolder } from '../../../src/permission/paths';
import { containsSecret, withoutSecretText } from '../../../src/permission/secretText';
import { labelOfPath, labelOfTitle, labelOfUri, resolvePath } from '../../../src/view/labels';
import { workTime } from '../../fakes/workTime';

/** Longer than any word of a user; a text that an agent sends may be as long as a message. */
const long = (text: string) => text.repeat(200_000);
const command = (program: string) => ({
  text: program,
  words: [{ text: program, known: true }],
  assignments: [],
  redirects: [],
  folders: [''],
});

it.each<[string, () => unknown]>([
  ['a title of blanks', () => labelOfTitle(`a${long(' ')}b`, '/p')],
  ['an error of blanks', () => joinedLines(`a${long(' ')}b`, '; ')],
  ['an address of slashes', () => labelOfUri(`${long('/')}a`)],
  ['an address of question marks', () => labelOfUri(`${long('?')}\n`)],
  ['a folder of slashes', () => labelOfPath('/p/a', `${long('/')}a`)],
  ['a path in a folder of slashes', () => resolvePath('a', `${long('/')}a`)],
  ['a command in a folder of slashes', () => joinFolder(`${long('/')}a`, 'b')],
  ['a program of digits', () => takesWildcard(command(`${long('1')}a`))],
  ['a command of options', () => containsSecret(`curl -${long('u')}`)],
  ['a record of options', () => withoutSecretText(`curl -${long('u')}`)],
])('hostile text keeps nobody waiting: %s', (_what, read) => {
  const started = workTime();
  read();
  expect(workTime() - started).toBeLessThan(8_000);
});

it('texts on several lines become one', () => {
  expect(joinedLines('a \r\n  b\n\nc  d\n', ' ')).toBe('a b c  d ');
  expect(labelOfTitle(' a\n  b  c ', '/p')).toBe('a b  c');
  expect([
    labelOfPath('/p/a', '/p//'),
    resolvePath('a', '/p//'),
    labelOfUri('file:///p/a%20b/?x#y'),
    labelOfUri('a?'),
  ]).toEqual(['a', '/p/a', 'a b', 'a']);
  expect(withoutSecretText('curl -su me:hunter22 https://example.com')).toBe('curl -su me:••• https://example.com');
});
