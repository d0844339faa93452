import { describe, expect, test } from 'vitest';
import { startLink, text } from './harness';
import { waitUntil } from './waitUntil';

describe('what we write', () => {
  test('1 a prompt with line breaks is one line', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, [{ type: 'text', text: 'a\nb\r\nc\u2028d' }]);
    const lines = link.wire().filter((entry) => entry.dir === '>');
    expect(lines.map((entry) => entry.line)).toHaveLength(3);
    expect(link.sent('session/prompt')[0]?.['params'].prompt).toEqual([{ type: 'text', text: 'a\nb\r\nc\u2028d' }]);
  });

  test('2, 3 the first byte is a brace and every message says jsonrpc 2.0', async () => {
    const link = startLink();
    await link.open();
    expect(link.wire().find((entry) => entry.dir === '>')?.line?.[0]).toBe('{');
    expect(link.sent().every((message) => message['jsonrpc'] === '2.0')).toBe(true);
  });

  test('1 emoji, NUL and written escapes in a prompt arrive as they are; half an emoji, which strict readers refuse, does not', async () => {
    const link = startLink();
    const sessionId = await link.open();
    const odd = 'emoji 👩‍💻 nul \u0000 del \u007f written \\ud83d \\\\udc00 half';
    await link.connection.prompt(sessionId, [{ type: 'text', text: `${odd} \ud83d|\udc69|\\\udc69` }]);
    expect(link.sent('session/prompt')[0]?.['params'].prompt[0].text).toBe(`${odd} \ufffd|\ufffd|\\\ufffd`);
  });

  test('1 a prompt of several megabytes is one line', async () => {
    const link = startLink();
    const sessionId = await link.open();
    const long = 'ä'.repeat(3_000_000);
    await link.connection.prompt(sessionId, [{ type: 'text', text: long }]);
    expect(link.sent('session/prompt')[0]?.['params'].prompt[0].text).toHaveLength(long.length);
  });
});

describe('what we read', () => {
  /** Plays one prompt and gives the text that came back. */
  async function play(...directives: string[]) {
    const link = startLink();
    const sessionId = await link.open();
    const result = await link.connection.prompt(sessionId, text(...directives));
    return { link, result, text: link.text() };
  }

  test('5 a message cut inside its characters is read whole', async () => {
    expect((await play('@@SPLITUTF8', '@@SAY |after')).text).toBe('naïve 日本語 👩‍💻 end|after');
  });

  test('5 a message that comes byte by byte is read whole', async () => {
    expect((await play('@@BYTEWISE', '@@SAY |after')).text).toBe('büte|after');
  });

  test('5 fifty messages in one write are handled in order', async () => {
    expect((await play('@@ONEWRITE')).text).toBe(Array.from({ length: 50 }, (_, n) => `${n} `).join(''));
  });

  test('6 CR LF and blank lines are accepted', async () => {
    const link = startLink({ agent: { crlf: true } });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@CRLF', '@@SAY |after'));
    expect(link.text()).toBe('crlf|after');
  });

  test('6 the last line needs no newline', async () => {
    const lastLine = JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: {
        sessionId: 's',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'last words' } },
      },
    });
    const link = startLink({ agent: { lastLine } });
    await link.connection.initialize();
    link.process.stdin.end();
    await waitUntil('the last line is read', () => link.text() === 'last words');
  });

  test('7 U+2028, NUL and lone surrogates are text', async () => {
    expect((await play('@@U2028')).text).toBe('a\u2028b\u2029c\u0000d\ud83de\u{1f600}\u0085f');
  });

  test('8 a line of 10 MiB is accepted', async () => {
    expect((await play('@@HUGELINE 10485760')).text).toHaveLength(10_485_760);
  });

  test('8 a line over 32 MiB ends the connection with a reason', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await expect(link.connection.prompt(sessionId, text('@@HUGELINE 34000000'))).rejects.toThrow(/connection/i);
    expect(link.readErrors.map((error) => error.message).join()).toMatch(/32 MiB/);
    expect(link.closed).toBe(true);
  });

  test('9 a banner before the first message is skipped and logged', async () => {
    const link = startLink({ agent: { banner: 'Welcome back!\n\x1b[32m✔ up to date\x1b[0m\n' } });
    await link.open();
    expect(link.skipped.map(({ line }) => line)).toEqual(['Welcome back!', '\x1b[32m✔ up to date\x1b[0m']);
  });

  test('9 a byte order mark and the title of a terminal before the first answer are no part of it', async () => {
    const link = startLink({ agent: { banner: '\ufeff\x1b]0;demo: ready\x07\x1b[0m' } });
    await link.open();
    expect(link.skipped).toEqual([]);
  });

  test('9 noise between messages is skipped, the turn goes on', async () => {
    const { link, text: said, result } = await play('@@SAY before|', '@@NOISE', '@@SAY after');
    expect(said).toBe('before|after');
    expect(result.stopReason).toBe('end_turn');
    expect(link.skipped.length).toBeGreaterThanOrEqual(5);
  });

  test('9 nothing is written to an agent that prints noise', async () => {
    const { link } = await play('@@NOISE');
    expect(link.sent().map((message) => message['method'])).toEqual(['initialize', 'session/new', 'session/prompt']);
  });

  test('10 things that are no envelopes neither answer a call nor end the connection', async () => {
    const { result, text: said } = await play('@@BADENVELOPES', '@@SAY still here');
    expect(said).toBe('still here');
    expect(result.stopReason).toBe('end_turn');
  });

  test('10 a log line with the id and a result does not answer the call', async () => {
    const { result } = await play('@@RAW {"id":3,"result":{"stopReason":"refusal"},"level":"debug"}', '@@SAY on');
    expect(result.stopReason).toBe('end_turn');
  });

  test('10 a batch is ignored as a whole', async () => {
    const { result, text: said, link } = await play('@@BATCH', '@@SAY on');
    expect(said).toBe('on');
    expect(result.stopReason).toBe('end_turn');
    expect(link.skipped.map(({ reason }) => reason).join()).toMatch(/batch/);
  });

  test('12 megabytes of stderr do not block stdout, whatever their bytes', async () => {
    const link = startLink({ agent: { stderrFlood: 4_000_000 } });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@STDERRFLOOD 8000000', '@@SAY through'));
    expect(link.text()).toBe('through');
    expect(link.process.stderrTail.length).toBeLessThan(64 * 1024);
  });

  test('12 stderr is kept as text and never parsed', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text('@@STDERR {"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}', '@@SAY on'),
    );
    await waitUntil('stderr arrives', () => link.process.stderrTail.includes('refusal'));
    expect(link.text()).toBe('on');
  });

  test('a multi-byte character cut by two stderr writes is decoded once', async () => {
    const link = startLink({ agent: { stderr: 'naïve ✓ 日本語\n' } });
    await link.open();
    await waitUntil('stderr arrives', () => link.process.stderrTail.includes('日本語'));
  });
});
