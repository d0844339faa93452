import { childEnvironment } from './environment';

/** What terminals get on top: colours, and pagers that would wait for a key are kept away. */
const terminalDefaults: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
};

/**
 * The environment of a command that an agent runs: what the host inherited without what is the host's own, our defaults,
 * then the agent's `env` (last one wins). On Windows names are case-insensitive, so an overlay replaces the other spelling.
 */
export function terminalEnvironment(
  inherited: NodeJS.ProcessEnv,
  overlay: readonly { readonly name: string; readonly value: string }[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(childEnvironment(inherited))) if (value !== undefined) result[name] = value;
  const set = (name: string, value: string) => {
    if (platform === 'win32') for (const other of Object.keys(result)) if (other.toLowerCase() === name.toLowerCase()) delete result[other];
    result[name] = value;
  };
  for (const [name, value] of Object.entries(terminalDefaults)) set(name, value);
  for (const { name, value } of overlay) set(name, value);
  return result;
}
