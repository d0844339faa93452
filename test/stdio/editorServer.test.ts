import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ListChangedHandlers } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildOptions, targets } from '../../esbuild.mjs';
import { silentLogger } from '../../src/base/log';
import { EditorPipe, pipeVariables, type PipeService } from '../../src/node/editorPipe';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
const program = path.join(folder, 'editorServer.js');

beforeAll(async () => {
  const target = targets({ tests: false }).find(({ name }) => name === 'editorServer')!;
  await build({
    ...buildOptions(target, { dev: true }),
    write: true,
    metafile: false,
    outfile: program,
    sourcemap: false,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.dispose();
});

const echo = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } };

async function pipeOf(service: Partial<PipeService> = {}): Promise<EditorPipe> {
  const pipe = await EditorPipe.open(
    {
      connected: () => undefined,
      tools: async () => [echo],
      call: async (name, args) => ({ text: `${name} ${JSON.stringify(args)}` }),
      ...service,
    },
    silentLogger,
  );
  open.push(pipe);
  return pipe;
}

/** @param token of the program, which is the pipe's unless another one is given */
async function clientOf(
  pipe: EditorPipe,
  mode: 'legacy' | { readonly pin: string } = 'legacy',
  token = pipe.token,
  listChanged?: ListChangedHandlers,
): Promise<Client> {
  const client = new Client(
    { name: 'tester', version: '7' },
    { versionNegotiation: { mode }, ...(listChanged ? { listChanged } : {}) },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { [pipeVariables.path]: pipe.path, [pipeVariables.token]: token },
  });
  await client.connect(transport);
  open.push({ dispose: () => client.close() });
  return client;
}

describe('the program between an agent and the editor', () => {
  it('passes an image without words on without a text of nothing', async () => {
    const image = { mimeType: 'image/png', data: 'YWJj' };
    const client = await clientOf(await pipeOf({ call: async () => ({ text: '', images: [image] }) }));
    expect((await client.callTool({ name: 'echo' })).content).toEqual([{ type: 'image', ...image }]);
  });

  it.each([['legacy' as const], [{ pin: '2026-07-28' }]])('serves MCP clients: %o', async (mode) => {
    const clients: (string | undefined)[] = [];
    const pipe = await pipeOf({ connected: (client) => clients.push(client) });
    const client = await clientOf(pipe, mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    const { content, isError } = await client.callTool({ name: 'echo', arguments: { text: 'ä\u2028' } });
    expect(content).toEqual([{ type: 'text', text: 'echo {"text":"ä\u2028"}' }]);
    expect(isError).toBeFalsy();
    expect(clients).toEqual(['tester 7']);
  });

  it('passes an error on as a result that the model reads', async () => {
    const client = await clientOf(await pipeOf({ call: async () => ({ text: 'No file a.ts.', isError: true }) }));
    expect(await client.callTool({ name: 'echo' })).toMatchObject({
      content: [{ type: 'text', text: 'No file a.ts.' }],
      isError: true,
    });
  });

  it('passes images on', async () => {
    const image = { mimeType: 'image/png', data: 'YWJj' };
    const client = await clientOf(
      await pipeOf({ call: async () => ({ text: 'Two images.', images: [image, image] }) }),
    );
    const { content } = await client.callTool({ name: 'echo' });
    expect(content).toEqual([
      { type: 'text', text: 'Two images.' },
      ...[1, 2].map(() => ({ type: 'image', ...image })),
    ]);
  });

  it.each([['legacy' as const], [{ pin: '2026-07-28' }]])('tells that tools came or went: %o', async (mode) => {
    const tools = [echo];
    const pipe = await pipeOf({ tools: async () => [...tools] });
    let told: readonly string[] | undefined;
    const client = await clientOf(pipe, mode, pipe.token, {
      tools: { debounceMs: 0, onChanged: (_error, listed) => (told = listed?.map(({ name }) => name)) },
    });
    await client.listTools();
    tools.push({ ...echo, name: 'other' });
    pipe.toolsChanged();
    await expect.poll(() => told).toEqual(['echo', 'other']);
  });

  it('passes a cancellation on', async () => {
    let isCancelled = false;
    const pipe = await pipeOf({
      call: async (_name, _args, token) =>
        new Promise((resolve) =>
          token.onCancellationRequested(() => {
            isCancelled = true;
            resolve({ text: 'too late' });
          }),
        ),
    });
    const client = await clientOf(pipe);
    const abort = new AbortController();
    const call = client.callTool({ name: 'echo' }, { signal: abort.signal });
    const failed = expect(call).rejects.toThrow();
    await client.listTools();
    abort.abort();
    await failed;
    await expect.poll(() => isCancelled).toBe(true);
  });

  /** A pipe whose calls end only when they are withdrawn. */
  async function patientPipe() {
    let isCancelled = false;
    const pipe = await pipeOf({
      call: (_name, _args, token) =>
        new Promise((resolve) =>
          token.onCancellationRequested(() => {
            isCancelled = true;
            resolve({ text: 'too late' });
          }),
        ),
    });
    return { pipe, wasCancelled: () => isCancelled };
  }

  it('withdraws the calls of a program that ends', async () => {
    const { pipe, wasCancelled } = await patientPipe();
    const client = await clientOf(pipe);
    const call = client.callTool({ name: 'echo' }).catch(() => undefined);
    await client.listTools();
    process.kill((client.transport as StdioClientTransport).pid!, 'SIGKILL');
    await expect.poll(wasCancelled).toBe(true);
    await call;
  });

  it('withdraws the calls of a session that is gone', async () => {
    const { pipe, wasCancelled } = await patientPipe();
    const client = await clientOf(pipe);
    const call = client.callTool({ name: 'echo' });
    await client.listTools();
    pipe.dispose();
    await expect.poll(wasCancelled).toBe(true);
    expect(await call).toMatchObject({ isError: true });
  });

  it('does not begin a call that was cancelled while the program connected', async () => {
    let calls = 0;
    const abort = new AbortController();
    const pipe = await pipeOf({
      connected: () => {
        abort.abort();
        // The cancellation reaches the program before the answer to its first message.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      },
      call: async () => ({ text: `${++calls}` }),
    });
    const client = await clientOf(pipe);
    const failed = expect(client.callTool({ name: 'echo' }, { signal: abort.signal })).rejects.toThrow();
    await failed;
    await client.callTool({ name: 'echo' });
    expect(calls).toBe(1);
  });

  it('says so when the editor is gone, and ends with its input', async () => {
    const pipe = await pipeOf();
    const client = await clientOf(pipe);
    await client.callTool({ name: 'echo' });
    pipe.dispose();
    const { content, isError } = await client.callTool({ name: 'echo' });
    expect(isError).toBe(true);
    expect(content).toMatchObject([{ text: 'The editor is not connected any more. Go on without its tools.' }]);
    const { pid } = client.transport as StdioClientTransport;
    await client.close();
    await expect.poll(() => isAlive(pid!)).toBe(false);
  });

  it('gets an answer of ten megabytes through, and no message of that size to Parley', async () => {
    const client = await clientOf(await pipeOf({ call: async () => ({ text: 'x'.repeat(10_000_000) }) }));
    const { content } = await client.callTool({ name: 'echo' });
    expect((content[0] as { text: string }).text).toHaveLength(10_000_000);
    expect(await client.callTool({ name: 'echo', arguments: { text: 'y'.repeat(5_000_000) } })).toMatchObject({
      isError: true,
    });
  });
});

describe('the pipe of a session', () => {
  it('serves nobody without the token', async () => {
    let calls = 0;
    const service = { tools: async () => (calls++, [echo]), connected: () => void calls++ };
    const pipe = await pipeOf(service);
    const client = await clientOf(pipe, 'legacy', 'another');
    await expect(client.listTools()).rejects.toThrow();
    expect(calls).toBe(0);
    for (const line of [
      '{"jsonrpc":"2.0","id":1,"method":"_parley/tools","params":{}}',
      '{"jsonrpc":"2.0","id":1,"method":"_parley/hello","params":{"token":null}}',
      'GET / HTTP/1.1',
    ])
      expect(await said(pipe, line)).not.toContain('echo');
    expect(calls).toBe(0);
  });

  it('does not take the token of another session', async () => {
    const [one, other] = [await pipeOf(), await pipeOf()];
    const client = await clientOf(one, 'legacy', other.token);
    await expect(client.listTools()).rejects.toThrow();
  });

  it.skipIf(process.platform === 'win32')('is open to this user only, and gone with the session', async () => {
    const pipe = await pipeOf();
    expect(statSync(pipe.path).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(pipe.path)).mode & 0o777).toBe(0o700);
    pipe.dispose();
    await expect.poll(() => statSync(path.dirname(pipe.path), { throwIfNoEntry: false })).toBeUndefined();
  });
});

/** What the pipe answers to a line until it ends the connection. */
async function said(pipe: EditorPipe, line: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(pipe.path, () => socket.write(`${line}\n`));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
