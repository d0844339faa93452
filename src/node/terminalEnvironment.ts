import { childEnvironment } from './environment';

/** Variables added for terminals: they enable colours, and disable pagers that would wait for a key. */
const terminalDefaults: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  // Empty means no pager; Windows may not have `cat`.
  AWS_PAGER: '',
};

/** The same for programs that Windows does not have. */
const posixDefaults: Readonly<Record<string, string>> = { MANPAGER: 'cat', SYSTEMD_PAGER: 'cat' };

/** Variables of the terminal that VS Code itself was started from: its size, and the sequences that it understands. */
const otherTerminal =
  /^(LINES|COLUMNS|TERMCAP|TERM_PROGRAM(_VERSION)?|TERM_SESSION_ID|ITERM_\w+|LC_TERMINAL(_VERSION)?|VTE_VERSION|KITTY_\w+|WEZTERM_\w+|ALACRITTY_\w+|WT_SESSION|WT_PROFILE_ID|KONSOLE_\w+)$/;

export interface TerminalEnvironmentOptions {
  /** `parley.terminal.env`: null removes a variable. */
  readonly settings?: Readonly<Record<string, string | null>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * The environment of an agent's command: the host's without its own variables, our defaults, the user's settings, then
 * the agent's `env` (the last one wins). On Windows names are case-insensitive, so an overlay replaces the other
 * spelling.
 */
export function terminalEnvironment(
  inherited: NodeJS.ProcessEnv,
  overlay: readonly { readonly name: string; readonly value: string }[],
  { settings = {}, platform = process.platform }: TerminalEnvironmentOptions = {},
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(childEnvironment(inherited)))
    if (value !== undefined && !otherTerminal.test(name)) result[name] = value;
  const set = (name: string, value: string | null) => {
    if (platform === 'win32')
      for (const other of Object.keys(result)) if (other.toLowerCase() === name.toLowerCase()) delete result[other];
    if (value === null) delete result[name];
    else result[name] = value;
  };
  for (const defaults of platform === 'win32' ? [terminalDefaults] : [terminalDefaults, posixDefaults])
    for (const [name, value] of Object.entries(defaults)) set(name, value);
  for (const [name, value] of Object.entries(settings)) set(name, value);
  for (const { name, value } of overlay) set(name, value);
  return result;
}
