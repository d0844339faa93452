import { items } from '../item.mjs';

/** Signing in, and out. */
export const authentication = items(
  [36, 'M', 'authenticate-comes-after-initialize', 'authenticate is never sent before initialize was answered.', 'authentication', ['stdio/signIn › 36, 39, 40: ', 'conformance/wire › 36, 40, 44, 48 ']],
  [37, 'M', 'no-credentials-in-initialize', 'initialize carries no credentials.', 'authentication', ['conformance/wire › 37 ']],
  [38, 'S', 'nobody-signs-in-unasked', 'As long as sessions open, authenticate is not called, whatever methods there are.', 'authentication', ['conformance/wire › 38 ']],
  [39, 'S', 'auth-required-leads-to-sign-in', 'After -32000 the advertised methods are offered, and the call is made again with the same parameters.', 'authentication', ['stdio/signIn › 36, 39, 40: ', 'vscode/e2e/signIn › 39, 43, 49: ']],
  [40, 'M', 'only-advertised-methods', 'methodId is one of those that the agent advertised.', 'schema', ['stdio/signIn › 36, 39, 40: ', 'conformance/wire › 36, 40, 44, 48 ']],
  [41, 'R', 'auth-required-in-any-shape', '-32000 is understood with and without data; so is -32603 whose data mean it; no other code leads to signing in.', 'ours', ['stdio/signIn › 41: ', 'unit/thread/scenarios › 041-']],
  [42, 'R', 'a-failed-sign-in-is-no-loop', 'A failed sign-in is shown, the choice stays, and nothing is repeated by itself.', 'ours', ['stdio/signIn › 42: ', 'unit/view/signInState › 42: ']],
  [43, 'R', 'auth-required-at-any-time', '-32000 from any call begins the same way, and the typed prompt is kept.', 'ours', ['stdio/signIn › 43: ', 'vscode/e2e/signIn › 39, 43, 49: ']],
  [44, 'M', 'terminal-methods-run-in-a-terminal', 'A method of type terminal runs the agent\'s own command with its arguments and variables; nothing goes over the wire.', 'authentication', ['stdio/signInTerminal › 44, 45: ', 'unit/acp/authMethods › 44: ', 'vscode/e2e/signIn › 44, 45: ', 'conformance/wire › 36, 40, 44, 48 ']],
  [45, 'M', 'after-a-terminal-sign-in-anew', 'Exit code 0 connects to a new process; anything else is shown as a failure.', 'authentication', ['stdio/signInTerminal › 44, 45: ', 'stdio/signInTerminal › 45: ', 'vscode/e2e/signIn › 44, 45: ']],
  [46, 'R', 'the-older-terminal-auth', '_meta["terminal-auth"] runs its command after the user agreed.', 'ours', ['stdio/signInTerminal › 46: ', 'unit/acp/authMethods › 46: ']],
  [47, 'R', 'unknown-kinds-of-methods', 'A method of an unknown type is shown and never chosen by itself.', 'ours', ['stdio/signIn › 47: ', 'unit/acp/authMethods › 47: ']],
  [48, 'M', 'logout-only-where-offered', 'logout is sent only where the agent offers it and the user asks.', 'authentication', ['stdio/signIn › 48: ', 'vscode/e2e/signIn › 48, 51: ', 'conformance/wire › 36, 40, 44, 48 ']],
  [49, 'S', 'signing-in-can-be-cancelled', 'Cancelling sends $/cancel_request and goes back to the choice.', 'authentication', ['stdio/signIn › 49: ', 'vscode/e2e/signIn › 39, 43, 49: ']],
  [50, 'R', 'auth-required-without-methods', 'Without any method the agent\'s message is shown.', 'ours', ['stdio/signIn › 50: ']],
  [51, 'R', 'secrets-stay-secret', 'Keys are kept in SecretStorage and never logged.', 'ours', ['unit/host/platform/redact › 51: ', 'stdio/signInKey › 51: ', 'unit/host/signIn/apiKeys › 51: ', 'vscode/e2e/signIn › 48, 51: ', 'vscode/e2e/mcpServers › 51, 66 ']],
);
