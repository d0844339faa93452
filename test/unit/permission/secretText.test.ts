import { describe, expect, it } from 'vitest';
import { MemoryState } from '../../fakes/memoryState';
import { PermissionHistory } from '../../../src/host/permissions/permissionHistory';
import { subjectOf } from '../../../src/permission/subject';
import { containsSecret, withoutSecretText } from '../../../src/permission/secretText';

const warned = [
  'token = "abcdefgh1234"', "api_key: 'a-very-long-one'", 'TOKEN=abc123def456 npm publish', 'export SECRET=hunter2hunter2', 'AKIAABCDEFGHIJKLMNOP', 'mysql --password=hunter22',
  'PGPASSWORD=hunter psql -h db', "MYSQL_PWD='hunter' mysql", 'DB_PWD=hunter22', 'const authToken = "abcdefgh"', '//registry.example/:_authToken=abcdef123456', 'clientSecret: "abcdefgh"',
  'curl -u me:hunter222 https://example.com', 'curl -sSu "me:hunter222" https://example.com', 'curl --user=me:hunter222 https://example.com', 'sshpass -p hunter ssh me@host', "sshpass -p 'two words' ssh me@host",
  'docker login -u me -p hunter registry.example', "curl -H 'Cookie: sid=abcdef123' https://example.com", 'Set-Cookie: theme=darkish; sid=abcdef', `rk_${'live'}_abcdefghij1234`, `sk_${'live'}_abcdefghij1234`,
  'TOKEN="abc def ghi"', "export DB_PASSWORD='abc def ghi'",
];
const quiet = [
  'const token = next(source, at);', 'tokens.push(token);', 'token: Token,', 'password: string;', 'secret = process.env.SECRET', 'const credentials = await loadCredentials();', 'token="$TOKEN"', "{ token: '' }",
  'const authToken = next(source);', 'const clientSecret = await load(source);', 'PGPASSWORD=$PASS psql', 'PGPASSWORD="$PASS" psql', 'env: { PGPASSWORD: password }', 'PWD=/home/me/project1', 'OLDPWD=/home/me/project1',
  'curl -u "$ME:$PASS" https://example.com', 'curl -u me https://example.com:8080/abcdef', 'curl --user-agent=me:abcdef https://example.com', 'curl -o out.txt http://localhost:8080/a', 'sshpass -p "$PASS" ssh me@host', 'sshpass -e ssh me@host',
  'docker login --password-stdin registry.example', 'docker run -p 8080:8080 image', 'docker login -p $PASS', 'cookie: string;', 'const cookie = parse(header);', "'Cookie': `sid=${id}`", "password: 'Your password is required'",
  '<Field password="Enter your password" />', 'TOKEN="$(cat token file)"', 'TOKEN="Bearer $TOKEN"', 'MAX_TOKENS=100000',
];
const left: readonly (readonly [string, string])[] = [
  ['token=next1234', 'token=•••'],
  ['TOKEN="abc def ghi" npm publish', 'TOKEN=••• npm publish'],
  ['password: "abc def', 'password: •••'],
  ['authToken=response', 'authToken=•••'],
  ['PGPASSWORD=hunter psql -h db', 'PGPASSWORD=••• psql -h db'],
  ['curl -u me:hunter222 https://example.com', 'curl -u me:••• https://example.com'],
  ["sshpass -p 'two words' ssh me@host", 'sshpass -p ••• ssh me@host'],
  ['docker login -u me -p hunter registry.example', 'docker login -u me -p ••• registry.example'],
  ["curl -H 'Cookie: theme=darkish; sid=abcdef123' https://example.com", "curl -H 'Cookie: •••' https://example.com"],
];

describe('what looks like a secret', () => {
  it.each(warned)('is warned of: %s', (text) => expect(containsSecret(text)).toBe(true));
  it.each(quiet)('is not code about one: %s', (text) => expect(containsSecret(text)).toBe(false));
  it.each(left)('is left out of records, also where only its name tells: %s', (text, without) => expect(withoutSecretText(text)).toBe(without));
  it('is left out of the title of a session too', () => {
    const history = new PermissionHistory(new MemoryState());
    history.add({ at: 1, agent: 'Test', session: 'use token=next1234', what: 'x', answer: 'Allow', allowed: true, by: 'person' });
    expect(history.records).toMatchObject([{ session: 'use token=•••' }]);
  });
  it('is looked for in bounded time', () => {
    const start = performance.now();
    for (const part of ['curl ', 'a-', 'A_', 'docker login ', 'token ', 'curl -u', 'cookie: a=', 'PASSWORD="', ' -p ']) withoutSecretText(part.repeat(20_000));
    expect(performance.now() - start).toBeLessThan(15_000);
  });
  it('is looked for in a long text, each run of characters once', () => {
    const start = performance.now();
    for (const part of ['-token=', '_token=a', 'eyJ-', 'eyJaaaaaaaa.', 'TOKEN="', 'password']) containsSecret(part.repeat(300_000));
    expect(performance.now() - start).toBeLessThan(10_000);
    for (const text of ['token=a_password=next1234', 'token=abcdefgh-password: next1234', `token=${'a'.repeat(500)}1`, 'x token=abcdefgh" token=next1234']) expect(containsSecret(text)).toBe(true);
    expect(containsSecret('token=next1234"')).toBe(false);
  });
  it('is looked for in what is new alone', () => {
    const [oldText, newText] = ['a\ntoken = "abcdefgh1234"', 'b\ntoken = "abcdefgh1234"'];
    expect(subjectOf({ kind: 'edit', content: [{ type: 'diff', path: '/w/a', oldText, newText }] }, undefined).writes).toEqual(['b']);
  });
});
