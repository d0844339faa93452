import * as l10n from '@vscode/l10n';
/** JSON-RPC error codes that ACP uses. Source: schema v1 `ErrorCode`, JSON-RPC 2.0 §5.1. */
export const ErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  authRequired: -32000,
  resourceNotFound: -32002,
  /** Schema v2; agents of several versions answer it to v1 too. */
  unsupportedVersion: -32022,
  requestCancelled: -32800,
} as const;

/**
 * An error that goes over the wire as it is: an integer code and one sentence, without stack trace or secrets. Handlers
 * of agent requests throw this; any other error reaches the agent only as "Internal error". Calls to the agent reject
 * with this.
 */
export class AcpError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    /** Parley's own error message, if the agent only repeats it. */
    readonly repeats?: string,
  ) {
    super(message);
    this.name = 'AcpError';
  }

  static invalidParams(message: string, data?: unknown): AcpError {
    return new AcpError(ErrorCodes.invalidParams, message, data);
  }

  static notFound(message: string, data?: unknown): AcpError {
    return new AcpError(ErrorCodes.resourceNotFound, message, data);
  }

  static cancelled(message = 'Request cancelled'): AcpError {
    return new AcpError(ErrorCodes.requestCancelled, message);
  }

  static methodNotFound(method: string): AcpError {
    return new AcpError(ErrorCodes.methodNotFound, `Method not found: ${method}`, { method });
  }
}

/** The link ended before the answer came. The owner of the process knows the reason. */
export class ConnectionEnded extends AcpError {
  constructor() {
    super(ErrorCodes.internalError, l10n.t('The connection to the agent has ended'));
    this.name = 'ConnectionEnded';
  }
}
