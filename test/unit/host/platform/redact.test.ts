import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { redactedTraffic } from '../../../../src/host/platform/redact';
import { concealer, secretlessLog } from '../../../../src/host/platform/secretlessLog';

/** Nothing in it looks like a secret. */
const key = 'Plain "words" as a key + more';
const other = 'kurz-und-gut';
const redacted = (message: object) =>
  redactedTraffic(
    message,
    concealer(() => [other, key, `${other}-longer`, '']),
  );

it('51: what was put into a form is not in the traffic log', () => {
  const line = redacted({ jsonrpc: '2.0', id: 3, result: { action: 'accept', content: { answer: 'hunter2' } } });
  expect(line).toBe('{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":"[redacted]"}}');
  expect(redacted({ id: 4, result: { content: 'a file' } })).toContain('a file');
});

it.each([
  { env: [{ name: 'API', value: 'hush' }] },
  { env_vars: { A: 'hush' } },
  { environment: { A: 'hush' } },
  { headers: [{ name: 'X', value: 'hush' }] },
  { _meta: { 'api-key': 'hush' } },
  { _meta: { apiKey: 'hush', authToken: { inner: 'hush' } } },
  { Authorization: 'hush' },
  { password: ['hush'] },
  {
    mcpServers: [
      { name: '[redacted]', command: '/bin/x', args: ['--key', 'hush'], env: [] },
      { type: 'http', name: 'b', url: 'https://hush.example', headers: [] },
    ],
  },
  { credentials: { user: 'u', secret: 'hush' } },
  { query: [{ name: 'X-Api-Key', value: 'hush' }] },
  { query: [{ key: 'access_token', value: 'hush' }] },
])('51: the traffic log says nothing of %j', (params) => {
  const line = redacted({ jsonrpc: '2.0', method: 'authenticate', params });
  expect(line).not.toContain('hush');
  expect(line).toContain('[redacted]');
});

const filler = (length: number) => 'word '.repeat(length / 5);
const token = 'sk-proj-0123456789abcdefghij';

describe('the traffic log has no secret by value', () => {
  it.each<[string, object, string?]>([
    ['in an argument', { args: ['-H', `Authorization: Bearer ${token}`] }, token],
    ['after an option of its own', { args: ['--api-key', 'hush-hush-hush'] }, 'hush-hush-hush'],
    ['as a user’s password', { command: 'curl', args: ['-u', 'me:hush-hush'] }, 'hush-hush'],
    ['in a list that is a command', { rawInput: { command: ['curl', '-u', 'me:hush-hush'] } }, 'hush-hush'],
    ['in a prompt', { prompt: [{ type: 'text', text: `Use ${token} please` }] }, token],
    ['in a file', { content: `PASSWORD="correct horse battery"\n` }, 'correct horse'],
    ['in an address', { uri: `https://me:hush-hush@example.com/x?access_token=abcdef123456` }, 'hush-hush'],
    ['in a query', { uri: `https://example.com/x?access_token=abcdef123456` }, 'abcdef123456'],
    ['in a name', { [token]: 1 }, token],
    ['where the text is cut', { content: `${filler(390)}${token}` }, token.slice(0, 8)],
    [
      'a private key that is longer than what is shown',
      { content: `${filler(350)}-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(700)}\n-----END PRIVATE KEY-----` },
      'QUJD',
    ],
    [
      'at the end of what is looked at',
      { content: `${`${token} `.repeat(2_500).slice(0, 65_530)}${token.repeat(3)}` },
      'sk-',
    ],
  ])('%s', (_, params, secret = key) => {
    const line = redacted({ jsonrpc: '2.0', method: 'x', params });
    expect(line).not.toContain(secret);
    expect(line.length).toBeLessThan(600);
  });

  it.each<[string, string, string]>([
    ['as it is', `a ${key} b`, 'Plain'],
    ['in JSON', JSON.stringify({ key }), 'Plain'],
    ['in an address', `https://example.com/${encodeURIComponent(key)}`, 'Plain'],
    [
      'in Base64, wherever it begins',
      ['', 'm', 'me'].map((name) => Buffer.from(`${name}${key}`).toString('base64')).join(' '),
      Buffer.from(key).toString('base64').slice(8, 24),
    ],
    ['where the text is cut', `${filler(385)}${key}`, 'Plain'],
    ['that begins with another one', `a ${other}-longer b`, 'longer'],
  ])('known to Parley, %s', (_, content, secret) => {
    expect(redacted({ params: { content } })).not.toContain(secret);
  });

  it('and still says what was sent', () => {
    const line = redacted({
      method: 'terminal/create',
      params: { command: 'npm', args: ['test', '--', 'parser'], cwd: '/w' },
    });
    expect(line).toBe(
      '{"method":"terminal/create","params":{"command":"npm","args":["test","--","parser"],"cwd":"/w"}}',
    );
    expect(redacted({ params: { text: filler(1_000) } })).toContain('… (1000)');
  });

  it('takes a message of any depth and length', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 20_000; i++) deep = { deep };
    expect(redacted({ deep })).toContain('[…]');
    expect(redacted({ content: 'a-b_c '.repeat(2_000_000) }).length).toBeLessThan(500);
  });
});

it('stderr and errors in the log have neither what is known nor what looks like a secret', () => {
  const lines: string[] = [];
  const log = secretlessLog({ ...silentLogger, debug: (line) => void lines.push(line) }, () => [other]);
  log.debug(`Agent stderr: refused ${other} and ${token}`);
  expect(lines).toEqual(['Agent stderr: refused ••• and •••']);
});
