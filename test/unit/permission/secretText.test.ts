import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../src/permission/subject';
import { containsSecret, withoutSecretText } from '../../../src/permission/secretText';

const warned = ['token = "abcdefgh1234"', "api_key: 'a-very-long-one'", 'TOKEN=abc123def456 npm publish', 'export SECRET=hunter2hunter2', 'AKIAABCDEFGHIJKLMNOP', 'mysql --password=hunter22'];
const quiet = ['const token = next(source, at);', 'tokens.push(token);', 'token: Token,', 'password: string;', 'secret = process.env.SECRET', 'const credentials = await loadCredentials();', 'token="$TOKEN"', "{ token: '' }"];

describe('what looks like a secret', () => {
  it.each(warned)('is warned of: %s', (text) => expect(containsSecret(text)).toBe(true));
  it.each(quiet)('is not code about one: %s', (text) => expect(containsSecret(text)).toBe(false));
  it('is left out of records also where only its name tells', () => expect(withoutSecretText('token=next1234')).toBe('token=•••'));
  it('is looked for in what is new alone', () => {
    const [oldText, newText] = ['a\ntoken = "abcdefgh1234"', 'b\ntoken = "abcdefgh1234"'];
    expect(subjectOf({ kind: 'edit', content: [{ type: 'diff', path: '/w/a', oldText, newText }] }, undefined).writes).toEqual(['b']);
  });
});
