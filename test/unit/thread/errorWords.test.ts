import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AcpError, ErrorCodes } from '../../../src/acp/errors';
import { causeOf } from '../../../src/thread/errorCause';
import { describeError } from '../../../src/thread/errorWords';
import { workTime } from '../../fakes/workTime';

interface Row {
  readonly from: string;
  readonly what: string;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly words: unknown;
}

const file = path.join(import.meta.dirname, '../../fixtures/errors/words.json');
const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[];
const now = Date.parse('2026-11-21T00:00:00Z');

/** Errors as agents were seen to send them, and what the user reads. UPDATE_SNAPSHOTS=1 rewrites the words. */
describe('errors in words', () => {
  const described = rows.map((row) => ({
    ...row,
    words: describeError(new AcpError(row.error.code, row.error.message, row.error.data), now),
  }));
  if (process.env['UPDATE_SNAPSHOTS']) writeFileSync(file, `${JSON.stringify(described, undefined, 2)}\n`);
  it.each(
    described.map((row, i) => [
      `${row.from}: ${row.what}`,
      row.words,
      process.env['UPDATE_SNAPSHOTS'] ? row.words : rows[i]!.words,
    ]),
  )('%s', (_, words, expected) => {
    expect(words).toEqual(expected);
  });

  it('are found in bounded time in reasons of any length', () => {
    const half = 'a'.repeat(500_000);
    const started = workTime();
    expect(
      JSON.stringify(describeError(new AcpError(-32603, 'a'.repeat(4_000_000), { details: `${half}b${half}` }), now))
        .length,
    ).toBeLessThan(20_000);
    expect(workTime() - started).toBeLessThan(5_000);
  });

  it('every code of the schema has words of its own', () => {
    for (const code of Object.values(ErrorCodes))
      expect([code, causeOf(new AcpError(code, 'x'))]).not.toEqual([code, 'other']);
  });

  it('what is no answer of the agent says that the message could not be sent', () => {
    expect(describeError(new Error('EPIPE'), now)).toEqual({
      severity: 'error',
      title: 'The message could not be sent',
      detail: 'EPIPE',
      actions: ['retry', 'showLog'],
    });
  });
});
