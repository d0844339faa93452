import { describe, expect, it } from 'vitest';
import { MemoryState } from '../../fakes/memoryState';
import { PermissionHistory } from '../../../src/host/permissions/permissionHistory';
import { subjectOf } from '../../../src/permission/subject';
import { containsSecret, withoutSecretText } from '../../../src/permission/secretText';
import { workTime } from '../../fakes/workTime';

const warned = [
  'token = "abcdefgh1234"',
  "api_key: 'a-very-long-one'",
  'TOKEN=abc123def456 npm publish',
  'export SECRET=hunter2hunter2',
  'AKIAABCDEFGHIJKLMNOP',
  'mysql --password=hunter22',
  'PGPASSWORD=hunter psql -h db',
  "MYSQL_PWD='hunter' mysql",
  'DB_PWD=hunter22',
  'const authToken = "abcdefgh"',
  '//registry.example/:_authToken=abcdef123456',
  'clientSecret: "abcdefgh"',
  'curl -u me:hunter222 https://example.com',
  'curl -sSu "me:hunter222" https://example.com',
  'curl --user=me:hunter222 https://example.com',
  'sshpass -p hunter ssh me@host',
  "sshpass -p 'two words' ssh me@host",
  'docker login -u me -p hunter registry.example',
  "curl -H 'Cookie: sid=abcdef123' https://example.com",
  'Set-Cookie: theme=darkish; sid=abcdef',
  `rk_${'live'}_abcdefghij1234`,
  `sk_${'live'}_abcdefghij1234`,
  'curl https://api.example/x?token=abcdef1234567',
  'curl "https://api.example/x?page=2&password=hunter-two"',
  'GET /x?api_key=abcdefgh',
  "fetch('https://api.example/x?apikey=abcdef12&y=1')",
  'https://s3.example/a?X-Amz-Signature=0123456789abcdef',
  'https://b.example/a?sv=1&sig=abc%2Fdef%3D',
  'https://x.example/#access_token=abcdef12',
  'tool --access-token abcdef',
  'tool --api-key abcdef',
  'tool --apikey=abcdef',
  'tool --github-token "abcdef"',
  'tool --aws-secret-access-key abcdef',
  'gpg --passphrase hunter',
  'git clone https://abcdef0123456789abcdef@git.example/o/r',
  'https://glx_abcdefghijklmnop12@git.example/o/r',
  'TOKEN="abc def ghi"',
  "export DB_PASSWORD='abc def ghi'",
];
const quiet = [
  'const token = next(source, at);',
  'tokens.push(token);',
  'token: Token,',
  'password: string;',
  'secret = process.env.SECRET',
  'const credentials = await loadCredentials();',
  'token="$TOKEN"',
  "{ token: '' }",
  'const authToken = next(source);',
  'const clientSecret = await load(source);',
  'PGPASSWORD=$PASS psql',
  'PGPASSWORD="$PASS" psql',
  'env: { PGPASSWORD: password }',
  'PWD=/home/me/project1',
  'OLDPWD=/home/me/project1',
  'curl -u "$ME:$PASS" https://example.com',
  'curl -u me https://example.com:8080/abcdef',
  'curl --user-agent=me:abcdef https://example.com',
  'curl -o out.txt http://localhost:8080/a',
  'sshpass -p "$PASS" ssh me@host',
  'sshpass -e ssh me@host',
  'docker login --password-stdin registry.example',
  'docker run -p 8080:8080 image',
  'docker login -p $PASS',
  'cookie: string;',
  'const cookie = parse(header);',
  "'Cookie': `sid=${id}`",
  "password: 'Your password is required'",
  '<Field password="Enter your password" />',
  'TOKEN="$(cat token file)"',
  'TOKEN="Bearer $TOKEN"',
  'MAX_TOKENS=100000',
  'https://a.example/x?page=2',
  'https://a.example/x?tokens=100000',
  'https://a.example/x?token=$TOKEN&b=1',
  'https://a.example/x?token=${token}',
  'https://a.example/x?token=<token>',
  "'/x?token=' + token",
  'https://a.example/x?token=abc',
  'https://a.example/x?sort=password&by=created',
  'https://a.example/x?design=abcdefgh',
  'git clone https://user@host.example/o/r',
  'git clone https://my-service-account-2@host.example/o/r',
  'https://first.last1987%40corp.example@host.example/o',
  'ssh://git@host.example/o/r',
  'https://${TOKEN}@host.example/o/r',
  'https://a.example/some-long-name-0123456789/x@1.2.3',
  'gh auth login --with-token --hostname a.example',
  'tool --no-password user',
  'tool --ask-password user',
  'tool --token --verbose',
  'tool --api-key "$KEY"',
  'tool --max-tokens 4000',
  'tool --token-file a.txt',
  'docker login --password-stdin registry.example',
];
const left: readonly (readonly [string, string])[] = [
  ['token=next1234', 'token=•••'],
  ['TOKEN="abc def ghi" npm publish', 'TOKEN=••• npm publish'],
  ['password: "abc def', 'password: •••'],
  ['authToken=response', 'authToken=•••'],
  ['PGPASSWORD=hunter psql -h db', 'PGPASSWORD=••• psql -h db'],
  ['curl -u me:hunter222 https://example.com', 'curl -u me:••• https://example.com'],
  ['curl "https://a.example/x?token=abcdef1234567&page=2"', 'curl "https://a.example/x?token=•••&page=2"'],
  ['git clone https://abcdef0123456789abcdef@git.example/o/r', 'git clone https://•••@git.example/o/r'],
  ['tool --access-token abcdef --page 2', 'tool --access-token ••• --page 2'],
  ["sshpass -p 'two words' ssh me@host", 'sshpass -p ••• ssh me@host'],
  ['docker login -u me -p hunter registry.example', 'docker login -u me -p ••• registry.example'],
  ["curl -H 'Cookie: theme=darkish; sid=abcdef123' https://example.com", "curl -H 'Cookie: •••' https://example.com"],
];

describe('what looks like a secret', () => {
  it.each(warned)('is warned of: %s', (text) => expect(containsSecret(text)).toBe(true));
  it.each(quiet)('is not code about one: %s', (text) => expect(containsSecret(text)).toBe(false));
  it.each(left)('is left out of records, also where only its name tells: %s', (text, without) =>
    expect(withoutSecretText(text)).toBe(without),
  );
  it('is left out of the title of a session too', () => {
    const history = new PermissionHistory(new MemoryState());
    history.add({
      at: 1,
      agent: 'Test',
      session: 'use token=next1234',
      what: 'x',
      answer: 'Allow',
      allowed: true,
      by: 'person',
    });
    expect(history.records).toMatchObject([{ session: 'use token=•••' }]);
  });
  it('is looked for in bounded time', () => {
    const start = workTime();
    for (const part of [
      'curl ',
      'a-',
      'A_',
      'docker login ',
      'token ',
      'curl -u',
      'cookie: a=',
      'PASSWORD="',
      ' -p ',
      '?a_',
      '--a-',
      'a://',
      '1://1',
    ])
      withoutSecretText(part.repeat(20_000));
    expect(workTime() - start).toBeLessThan(15_000);
  });
  it('is looked for in a long text, each run of characters once', () => {
    const start = workTime();
    for (const part of ['-token=', '_token=a', 'eyJ-', 'eyJaaaaaaaa.', 'TOKEN="', 'password', '?a-', '--a-', 'a://a'])
      containsSecret(part.repeat(300_000));
    expect(workTime() - start).toBeLessThan(10_000);
    for (const text of [
      'token=a_password=next1234',
      'token=abcdefgh-password: next1234',
      `token=${'a'.repeat(500)}1`,
      'x token=abcdefgh" token=next1234',
    ])
      expect(containsSecret(text)).toBe(true);
    expect(containsSecret('token=next1234"')).toBe(false);
  });
  it('is looked for in what is new alone', () => {
    const [oldText, newText] = ['a\ntoken = "abcdefgh1234"', 'b\ntoken = "abcdefgh1234"'];
    expect(
      subjectOf({ kind: 'edit', content: [{ type: 'diff', path: '/w/a', oldText, newText }] }, undefined).writes,
    ).toEqual(['b']);
  });
});
