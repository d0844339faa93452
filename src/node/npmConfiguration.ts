import { parse } from 'ini';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { defaultUrl } from 'registry-url';
import type { LookupEnvironment } from './findProgram';
import { webAddress } from './webRequest';

/** A registry of packages, and who the user is there. */
export interface PackageRegistry {
  /** Ends with a slash. */
  readonly address: URL;
  /** Value of the `authorization` header for this registry. */
  readonly authorization?: string;
}

/**
 * The registry that the user's npm asks, for a machine without npm: from the environment, else from the user's own
 * .npmrc, else npm's default. Configuration of a project is never read.
 * @param env without the configuration of a project in which VS Code was started, see `npmEnvironment`
 * @param mirror the address of another registry instead; the user's keys for it count
 * @returns undefined if its address is neither https nor on this machine.
 */
export async function packageRegistry(
  env: LookupEnvironment,
  mirror: string | undefined,
): Promise<PackageRegistry | undefined> {
  const file = variable(env, 'userconfig') ?? path.join(homedir(), '.npmrc');
  const settings = parse(await readFile(file, 'utf8').catch(() => '')) as Readonly<Record<string, unknown>>;
  const read = (key: string) => expanded(settings[key], env);
  const address = webAddress(mirror ?? variable(env, 'registry') ?? read('registry') ?? defaultUrl);
  if (address === undefined) return undefined;
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  const authorization = authorizationFor(address, read);
  return { address, ...(authorization === undefined ? {} : { authorization }) };
}

/** Keys in a .npmrc begin with the address that they are for, or with the beginning of it. */
function authorizationFor({ host, pathname }: URL, read: (key: string) => string | undefined): string | undefined {
  const folders = pathname.split('/').filter(Boolean);
  for (let length = folders.length; length >= 0; length--) {
    const place = `//${[host, ...folders.slice(0, length)].join('/')}/`;
    const [token, basic] = [read(`${place}:_authToken`), read(`${place}:_auth`)];
    if (token) return `Bearer ${token}`;
    if (basic) return `Basic ${basic}`;
    const [name, password] = [read(`${place}:username`), read(`${place}:_password`)];
    if (name && password)
      return `Basic ${Buffer.from(`${name}:${Buffer.from(password, 'base64').toString()}`).toString('base64')}`;
  }
  return undefined;
}

/** npm reads its variables in any case. */
function variable(env: LookupEnvironment, key: string): string | undefined {
  return Object.entries(env).find(([name]) => name.toLowerCase() === `npm_config_${key}`)?.[1] || undefined;
}

/** A value with `${NAME}` replaced, as npm does. */
function expanded(value: unknown, env: LookupEnvironment): string | undefined {
  return typeof value === 'string'
    ? value.replaceAll(/\$\{([^{}]+)\}/g, (all, name: string) => env[name] ?? all)
    : undefined;
}
