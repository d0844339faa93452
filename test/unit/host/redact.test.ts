import { expect, it } from 'vitest';
import { redactedTraffic } from '../../../src/host/redact';

it('51: what was put into a form is not in the traffic log', () => {
  const line = redactedTraffic({ jsonrpc: '2.0', id: 3, result: { action: 'accept', content: { answer: 'hunter2' } } });
  expect(line).toBe('{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":"[redacted]"}}');
  expect(redactedTraffic({ id: 4, result: { content: 'a file' } })).toContain('a file');
});
