/** Errors of the API, for developers of other extensions. The user does not see them. */
export const apiErrors = {
  context: () => new Error('getApi needs the ExtensionContext of your extension'),
  version: (version: unknown) => new Error(`Parley has no API of version ${String(version)}`),
  refused: (id: string) => new Error(`${id} may not use Parley`),
  withdrawn: (id: string) => new Error(`${id} may not use Parley any more`),
  tooManySessions: () => new Error('Too many sessions without a prompt'),
  agentName: () => new Error('The name of an agent has 1 to 60 ordinary characters'),
  agentTaken: (name: string) => new Error(`There is an agent ${name}`),
  agentCommand: () => new Error('The command of an agent is an absolute path'),
  agentRefused: (name: string) => new Error(`The user does not want the agent ${name}`),
  noAgent: (name: string) => new Error(`There is no agent ${name}`),
  restricted: () => new Error('Parley starts no agent in Restricted Mode'),
  prompt: (limit: number) => new Error(`A prompt has 1 to ${limit} characters`),
  closed: () => new Error('The session is closed'),
  running: () => new Error('A turn runs in the session'),
} as const;
