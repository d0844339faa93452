import { expect, it } from 'vitest';
import { redactedTraffic } from '../../../../src/host/platform/redact';

it('51: what was put into a form is not in the traffic log', () => {
  const line = redactedTraffic({ jsonrpc: '2.0', id: 3, result: { action: 'accept', content: { answer: 'hunter2' } } });
  expect(line).toBe('{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":"[redacted]"}}');
  expect(redactedTraffic({ id: 4, result: { content: 'a file' } })).toContain('a file');
});

it.each([
  { env: [{ name: 'API', value: 'hush' }] },
  { headers: [{ name: 'X', value: 'hush' }] },
  { _meta: { 'api-key': 'hush' } },
  { _meta: { apiKey: 'hush', authToken: { inner: 'hush' } } },
  { Authorization: 'hush' },
  { password: ['hush'] },
  { mcpServers: [{ name: '[redacted]', command: '/bin/x', args: ['--key', 'hush'], env: [] }, { type: 'http', name: 'b', url: 'https://hush.example', headers: [] }] },
  { credentials: { user: 'u', secret: 'hush' } },
])('51: the traffic log says nothing of %j', (params) => {
  const line = redactedTraffic({ jsonrpc: '2.0', method: 'authenticate', params });
  expect(line).not.toContain('hush');
  expect(line).toContain('[redacted]');
});
