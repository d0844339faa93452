import { createServer } from 'node:net';
import { Deferred } from '../base/deferred';

/** A port on which nothing listens. @param taken by other worktrees */
export async function freePort(taken: readonly (number | undefined)[]): Promise<number> {
  for (;;) {
    const server = createServer();
    const listening = new Deferred<void>();
    server.once('error', (error) => listening.reject(error));
    server.listen(0, '127.0.0.1', () => listening.resolve());
    await listening.promise;
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    if (typeof address === 'object' && address && !taken.includes(address.port)) return address.port;
  }
}
