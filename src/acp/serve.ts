import { CancellationTokenSource, type MessageConnection, ResponseError } from 'vscode-jsonrpc';
import { stackOf } from '../base/errorText';
import type { CancellationToken } from '../base/cancellation';
import { DisposableStore, type IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { AnswerRoom, MakeLarge } from './answerRoom';
import type { ClientFeatures } from './clientFeatures';
import {
  decodeCreateTerminal,
  decodeReadTextFile,
  decodeSessionUpdateEnvelope,
  decodeTerminalRef,
  decodeWriteTextFile,
  type PermissionParams,
} from './decodeRequest';
import type { Decoded, Update } from './decodeUpdate';
import { AcpError, ErrorCodes } from './errors';
import type { ClientHandlers } from './handlers';
import type { ServedLink } from './rpcEndpoint';
import { ClientMethods } from './methods';

/** Decoders that differ between the versions of ACP. */
export interface VersionDecoders {
  /** `params.update` of `session/update`. Never throws. */
  readonly update: (raw: unknown) => Decoded<Update>;
  /** @throws AcpError -32602 */
  readonly permission: (raw: unknown, issue: (text: string) => void) => PermissionParams;
}

/**
 * Answers the agent's requests. Each request gets exactly one response (item 14); notifications get none (item 13);
 * methods that were not advertised, and unknown ones, get -32601 (items 26, 181). When the connection is disposed, the
 * tokens of open requests fire, so that no handler waits for a dead agent.
 */
export function serveClientMethods(
  rpc: MessageConnection,
  room: AnswerRoom,
  handlers: ClientHandlers,
  features: ClientFeatures,
  log: Logger,
  decoders: VersionDecoders,
  { receivedAt, refused }: ServedLink,
): IDisposable {
  const store = new DisposableStore();
  const running = new Set<CancellationTokenSource>();

  /** `answer` runs synchronously up to its first await, so that requests start in the order of the wire. */
  function serve<T>(
    method: string,
    answer: (params: unknown, token: CancellationToken, large: MakeLarge) => Promise<T>,
    reply: (value: T) => object,
  ): void {
    store.add(
      rpc.onRequest(method, async (params: unknown, wireToken) => {
        const source = new CancellationTokenSource();
        // Create the token now: a source that is cancelled before it has a token cannot be cancelled again.
        const { token } = source;
        running.add(source);
        const subscription = wireToken.onCancellationRequested(() => source.cancel());
        // The token of a request that was withdrawn in the queue never fires its event.
        if (wireToken.isCancellationRequested) source.cancel();
        try {
          return reply(await answer(params, token, room.for(token)));
        } catch (error) {
          const refusal = toResponseError(error, method, log);
          refused(refusal.message);
          return refusal;
        } finally {
          subscription.dispose();
          running.delete(source);
        }
      }),
    );
  }

  const note = (what: string) => (issue: string) => log.debug(`${what}: ${issue}`);
  const empty = () => ({});

  const takeUpdate = (params: unknown): void => {
    const envelope = decodeSessionUpdateEnvelope(params);
    if (!envelope) return log.debug('session/update without a sessionId was ignored');
    const { value, issues } = decoders.update(envelope.update);
    for (const issue of issues) log.debug(`session/update: ${issue}`);
    if (!value) return;
    try {
      handlers.sessionUpdate(envelope.sessionId, value, receivedAt());
    } catch (error) {
      const reason = stackOf(error);
      log.error(`session/update ${value.type} failed: ${reason}`);
    }
  };
  store.add(rpc.onNotification(ClientMethods.sessionUpdate, takeUpdate));
  // Some agents send updates as requests.
  serve(ClientMethods.sessionUpdate, async (params) => takeUpdate(params), empty);
  for (const [method, decoder] of [
    [ClientMethods.authStatus, 'decodeAuthStatus'],
    [ClientMethods.rateLimits, 'decodeRateLimits'],
  ] as const) {
    store.add(
      rpc.onNotification(method, async (params: unknown) => {
        const at = receivedAt();
        const account = (await import('./decodeAccount'))[decoder](params);
        if (account) handlers.accountUpdate?.(account, at);
        else log.debug(`${method} says nothing that can be shown`);
      }),
    );
  }
  store.add(
    rpc.onUnhandledNotification(({ method }) => log.trace(`notification ${method} is not known and was ignored`)),
  );
  serve(
    ClientMethods.requestPermission,
    (params, token) =>
      handlers.requestPermission(decoders.permission(params, note('session/request_permission')), token),
    (outcome) => outcome,
  );
  const elicitations = () => import('./decodeElicitation');
  const modes = new Set((['form', 'url'] as const).filter((mode) => features[`elicitation.${mode}`]));
  // Registered even if nothing was advertised, because an unadvertised mode is -32602 (item 166).
  serve(
    ClientMethods.elicitationCreate,
    async (params, token) =>
      handlers.createElicitation(
        (await elicitations()).decodeElicitation(params, modes, note('elicitation/create')),
        token,
      ),
    (response) => response,
  );
  store.add(
    rpc.onNotification(ClientMethods.elicitationComplete, async (params: unknown) => {
      const elicitationId = (await elicitations()).decodeElicitationComplete(params);
      if (elicitationId === undefined) log.debug('elicitation/complete without an elicitationId was ignored');
      else handlers.completeElicitation(elicitationId);
    }),
  );
  if (features['fs.readTextFile'])
    serve(
      ClientMethods.readTextFile,
      (params, token, large) => handlers.readTextFile(decodeReadTextFile(params), token, large),
      (response) => response,
    );
  if (features['fs.writeTextFile'])
    serve(
      ClientMethods.writeTextFile,
      (params, token) => handlers.writeTextFile(decodeWriteTextFile(params), token),
      empty,
    );
  if (features.terminal) {
    serve(
      ClientMethods.terminalCreate,
      (params, token) => handlers.createTerminal(decodeCreateTerminal(params), token),
      (response) => response,
    );
    serve(
      ClientMethods.terminalOutput,
      (params, _token, large) => large(async () => handlers.terminalOutput(decodeTerminalRef(params))),
      (response) => response,
    );
    serve(
      ClientMethods.terminalWaitForExit,
      (params, token) => handlers.waitForTerminalExit(decodeTerminalRef(params), token),
      (response) => response,
    );
    serve(ClientMethods.terminalKill, (params) => handlers.killTerminal(decodeTerminalRef(params)), empty);
    serve(ClientMethods.terminalRelease, (params) => handlers.releaseTerminal(decodeTerminalRef(params)), empty);
  }
  store.add({
    dispose() {
      for (const source of [...running]) source.cancel();
    },
  });
  return store;
}

/** The error text for the agent: never a stack trace or the message of an unexpected error (item 201). */
function toResponseError(error: unknown, method: string, log: Logger): ResponseError<unknown> {
  if (error instanceof AcpError) return new ResponseError(error.code, error.message, error.data);
  log.error(`${method} failed: ${stackOf(error)}`);
  return new ResponseError(ErrorCodes.internalError, `${method} failed inside the client`);
}
