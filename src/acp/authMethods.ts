import type { ClientFeatures } from './clientFeatures';
import { asObject, stringOf } from '../base/decode';
import { isObject } from '../base/json';

/**
 * How a sign-in method works. `agent`: a call of `authenticate`. `apiKey`: the same with the user's key in `_meta`.
 * `ownCommand`: the agent's configured command in a terminal, with `args` appended and `env` overriding its own.
 * `command`: a command that the agent spells out, for a terminal.
 */
export type AuthHow =
  | { readonly type: 'agent' }
  | { readonly type: 'apiKey' }
  | { readonly type: 'ownCommand'; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** One entry of `authMethods` in the answer to `initialize`. */
export interface AuthMethod {
  readonly id: string;
  /** The agent's own words, as is `description`. */
  readonly name: string;
  readonly description?: string;
  readonly how: AuthHow;
}

/**
 * Reads `authMethods` (schema v1 `AuthMethod`). Skips malformed entries and later ones with the same id. A type that
 * the schema does not have is treated as the agent's own method, as the schema says of one without a type (item 47).
 */
export function decodeAuthMethods(raw: unknown): readonly AuthMethod[] {
  const methods = new Map<string, AuthMethod>();
  for (const item of Array.isArray(raw) ? raw : []) {
    const method = decodeMethod(item);
    if (method && !methods.has(method.id)) methods.set(method.id, method);
  }
  return [...methods.values()];
}

/** The methods that Parley can offer. Terminal methods need the terminal capability that the agent was told about. */
export function offeredMethods(methods: readonly AuthMethod[], features: ClientFeatures): readonly AuthMethod[] {
  return methods.filter(({ how }) =>
    how.type === 'ownCommand'
      ? features['auth.terminal']
      : how.type === 'command'
        ? features['_meta.terminal-auth']
        : true,
  );
}

function decodeMethod(raw: unknown): AuthMethod | undefined {
  const fields = asObject(raw);
  const id = stringOf(fields['id']);
  if (id === undefined) return undefined;
  const description = stringOf(fields['description']);
  return { id, name: stringOf(fields['name']) || id, ...(description ? { description } : {}), how: decodeHow(fields) };
}

/** The schema's field wins over the older key in `_meta`. */
function decodeHow(fields: Readonly<Record<string, unknown>>): AuthHow {
  if (fields['type'] === 'terminal')
    return { type: 'ownCommand', args: stringsOf(fields['args']), env: textsOf(fields['env']) };
  const meta = asObject(fields['_meta']);
  const terminal = asObject(meta['terminal-auth']);
  const command = stringOf(terminal['command']);
  if (command) return { type: 'command', command, args: stringsOf(terminal['args']), env: textsOf(terminal['env']) };
  return { type: isObject(meta['api-key']) ? 'apiKey' : 'agent' };
}

function stringsOf(raw: unknown): readonly string[] {
  return Array.isArray(raw) ? raw.filter((item) => typeof item === 'string') : [];
}

function textsOf(raw: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(asObject(raw)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
