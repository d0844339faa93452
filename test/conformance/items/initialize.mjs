import { items } from '../item.mjs';

/** The handshake: versions and capabilities. */
export const initialize = items(
  [22, 'M', 'initialize-comes-first-and-alone', 'Nothing is sent before initialize is answered, also when the user does not wait.', 'initialization', ['stdio/handshake › 22 ', 'vscode/e2e/conformance › 22, 52, 53, 55, 72 ']],
  [23, 'M', 'the-version-is-an-integer', 'protocolVersion is the integer 1.', 'initialization', ['stdio/handshake › 23, 24, 25 ']],
  [24, 'M', 'client-capabilities-by-their-name', 'Our abilities stand in clientCapabilities.', 'schema', ['stdio/handshake › 23, 24, 25 ']],
  [25, 'S', 'we-say-who-we-are', 'clientInfo has name, title and version.', 'initialization', ['stdio/handshake › 23, 24, 25 ']],
  [26, 'M', 'what-is-offered-is-served', 'What we advertise is served; what is switched off is answered -32601.', 'initialization', ['stdio/handshake › 26 ', 'unit/acp/clientFeatures › 26 ', 'vscode/e2e/updates › 26: ']],
  [27, 'S', 'another-version-is-refused', 'An agent of another version is left, and both versions are named.', 'initialization', ['stdio/handshake › 27 ', 'vscode/e2e/trouble › another protocol version is refused']],
  [28, 'R', 'a-failed-initialize-is-told', 'An error of initialize is shown with a way to try again, and no process is left.', 'ours', ['stdio/handshake › 28 ']],
  [29, 'M', 'absent-capabilities-are-unsupported', 'Capabilities that are absent, null or malformed count as not there.', 'initialization', ['stdio/handshake › 29 ', 'unit/fuzz/responses › 17, 18: ']],
  [30, 'S', 'every-combination-of-capabilities-works', 'Any combination of agent capabilities is understood.', 'initialization', ['stdio/handshake › 30 ']],
  [31, 'R', 'a-slow-start-is-waited-for', 'A silent agent is waited for with progress and a way to cancel.', 'ours', ['stdio/handshake › 31 ', 'vscode/e2e/trouble › a start that takes long can be cancelled']],
  [32, 'R', 'an-early-end-is-explained', 'An agent that ends before it answers leaves its exit code and its last words.', 'ours', ['stdio/handshake › 32 ']],
  [33, 'R', 'a-missing-program-is-named', 'A program that is not there or may not run is told by name, with what helps.', 'ours', ['stdio/handshake › 33 ', 'vscode/e2e/trouble › an agent that is not installed is named']],
  [34, 'M', 'unknown-meta-is-ignored', 'Unknown _meta and fields in the answer to initialize are ignored.', 'extensibility', ['stdio/handshake › 34 ']],
  [35, 'Y', 'the-agent-is-named', 'Name, title and version of the agent are shown.', 'initialization', ['stdio/handshake › 35 ']],
);
