import * as xterm from '@xterm/headless';

// The package is CommonJS: a bundler gives its names directly, Node's own loader gives them under `default`.
const { Terminal } = 'Terminal' in xterm ? xterm : (xterm as { default: typeof xterm }).default;

export { terminalRow } from './terminalRow';

/** Loaded when the first terminal is shown: a session without one must not load an emulator. */
export { Terminal };
