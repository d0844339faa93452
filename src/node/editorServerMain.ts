import { once } from 'node:events';
import { connect } from 'node:net';
import { CLIENT_INFO_META_KEY, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { RpcEndpoint } from '../acp/rpcEndpoint';
import { CancellationSource } from '../base/cancellation';
import { asObject } from '../base/decode';
import { silentLogger } from '../base/log';
import { editorServerName } from '../editor/editorCall';
import { editorInstructions } from '../editor/toolTable';
import { pipeMethods, pipeVariables, type ToolAnswer } from './editorPipe';
import { NdjsonMessageReader, NdjsonMessageWriter } from './ndjson';

/*
 * A separate program, started by an agent: an MCP server on stdin and stdout that passes each call on to Parley, whose
 * pipe and token are in its environment. It knows no tool and ends with its input.
 */

/** Connects when it is first needed, and again after the connection was lost. */
class Editor {
  #end: Promise<RpcEndpoint> | undefined;

  /** @param toolsChanged called when other tools are listed than before */
  constructor(private readonly toolsChanged: () => void) {}

  /** @param client who asks, as it calls itself @throws Error for the model, whatever the reason is */
  async call(method: string, params: object, client: string | undefined, signal?: AbortSignal): Promise<unknown> {
    try {
      const end = await (this.#end ??= this.#connect(client));
      const cancel = new CancellationSource();
      signal?.addEventListener('abort', () => cancel.cancel(), { once: true });
      // An abort while the program connected fires no more.
      if (signal?.aborted) cancel.cancel();
      return await end.call(method, params, cancel.token);
    } catch {
      throw new Error('The editor is not connected any more. Go on without its tools.');
    }
  }

  async #connect(client: string | undefined): Promise<RpcEndpoint> {
    const socket = connect(process.env[pipeVariables.path] ?? '');
    socket.once('close', () => (this.#end = undefined));
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const observer = { skipped: () => undefined };
    const end = new RpcEndpoint(
      new NdjsonMessageReader(socket, observer),
      new NdjsonMessageWriter(socket, observer),
      { name: editorServerName, log: silentLogger },
      (rpc) => rpc.onNotification(pipeMethods.toolsChanged, () => this.toolsChanged()),
    );
    await end.call(pipeMethods.hello, { token: process.env[pipeVariables.token], client });
    return end;
  }
}

serveStdio(() => {
  const server = new Server(
    { name: editorServerName, title: 'Visual Studio Code', version: '1' },
    { capabilities: { tools: { listChanged: true } }, instructions: editorInstructions },
  );
  const editor = new Editor(() => void server.sendToolListChanged().catch(() => undefined));
  // Each request of a newer client names the client; an older one named itself once.
  const clientOf = (envelope: object | undefined) => {
    const { name, version } = asObject(asObject(envelope)[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
    return typeof name === 'string' ? `${name} ${String(version ?? '')}`.trim() : undefined;
  };
  server.setRequestHandler('tools/list', async (_request, { mcpReq }) => {
    const { tools } = asObject(await editor.call(pipeMethods.tools, {}, clientOf(mcpReq.envelope)));
    return { tools: tools as [] };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { envelope, signal } }) => {
    const asked = { name: params.name, arguments: params.arguments ?? {} };
    try {
      const answer = await editor.call(pipeMethods.call, asked, clientOf(envelope), signal);
      const { text, isError, images = [] } = answer as ToolAnswer;
      const shown = images.map((image) => ({ type: 'image' as const, ...image }));
      // Models reject a conversation with an empty text.
      const words = text.trim() === '' ? [] : [{ type: 'text' as const, text }];
      return { content: [...words, ...shown], ...(isError ? { isError } : {}) };
    } catch (error) {
      return { content: [{ type: 'text', text: (error as Error).message }], isError: true };
    }
  });
  return server;
});
