import { expect, test } from 'vitest';
import { redactedTraffic } from '../../src/host/redact';

test.each([
  { env: [{ name: 'API', value: 'hush' }] },
  { headers: [{ name: 'X', value: 'hush' }] },
  { _meta: { 'api-key': 'hush' } },
  { _meta: { apiKey: 'hush', authToken: { inner: 'hush' } } },
  { Authorization: 'hush' },
  { password: ['hush'] },
  { credentials: { user: 'u', secret: 'hush' } },
])('51 the traffic log says nothing of %j', (params) => {
  const line = redactedTraffic({ jsonrpc: '2.0', method: 'authenticate', params });
  expect(line).not.toContain('hush');
  expect(line).toContain('[redacted]');
});
