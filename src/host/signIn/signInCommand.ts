import { dirname, isAbsolute } from 'node:path';
import type { AuthMethod } from '../../acp/authMethods';
import { displayCommand } from '../../thread/shellLine';
import type { AgentConfiguration } from '../agents/agentSettings';

/** A command that runs in a terminal to sign in. */
export interface SignInCommand {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Overrides the inherited environment. Contains the user's configured variables, which may be secret. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Of the agent's own program, for the end of PATH: some agents name their program without its folder. */
  readonly programFolders?: string;
  /** As a user would type it. */
  readonly line: string;
  /** The agent's part of `env`, as `NAME=value`: the user is shown everything that comes from the agent. */
  readonly variables: readonly string[];
}

/**
 * The command of a method that signs in in a terminal: the agent's own with `args` appended and `env` over it (schema
 * v1 `AuthMethodTerminal`), or the one that `_meta["terminal-auth"]` spells out. Undefined for other methods.
 * @param folder of the command, unless the agent is configured to run elsewhere; absolute.
 */
export function signInCommand(
  { name, how }: AuthMethod,
  configuration: AgentConfiguration,
  folder: string,
): SignInCommand | undefined {
  if (how.type !== 'ownCommand' && how.type !== 'command') return undefined;
  const { command, args } =
    how.type === 'ownCommand' ? { command: configuration.command, args: [...configuration.args, ...how.args] } : how;
  const programFolders =
    configuration.programFolders ?? (isAbsolute(configuration.command) ? dirname(configuration.command) : undefined);
  return {
    title: name,
    command,
    args,
    env: { ...configuration.env, ...how.env },
    cwd: configuration.cwd ?? folder,
    ...(programFolders ? { programFolders } : {}),
    line: displayCommand(command, args),
    variables: Object.entries(how.env).map(([key, value]) => `${key}=${value}`),
  };
}
