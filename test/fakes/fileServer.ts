import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  /** Ends with a slash. */
  readonly url: string;
  /** What was asked for, oldest first: path, and what the client had. */
  readonly asked: readonly { readonly path: string; readonly etag?: string }[];
  close(): Promise<void>;
}

export type Answer = Buffer | string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server on loopback with just these files; a function answers as it likes. Anything else is 404. */
export async function startFileServer(files: Readonly<Record<string, Answer>>): Promise<FileServer> {
  const asked: { path: string; etag?: string }[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1);
    const etag = request.headers['if-none-match'];
    asked.push({ path, ...(etag === undefined ? {} : { etag }) });
    const answer = files[path];
    if (typeof answer === 'function') return answer(request, response);
    if (answer === undefined) response.statusCode = 404;
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
