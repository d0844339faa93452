import * as l10n from '@vscode/l10n';
import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { isObject } from '../base/json';

/**
 * Every client capability that `initialize` can advertise, by its path in `clientCapabilities`. The path is also the
 * name of its switch in `parley.agents.<name>.capabilities`. `value` is the advertised value when it is on. `served`
 * says whether Parley implements it: an unimplemented one is never advertised, whatever a setting says. Source: schema
 * v1 `ClientCapabilities`; the `_meta` keys are de-facto conventions.
 */
const table = {
  'fs.readTextFile': { value: true, served: true },
  'fs.writeTextFile': { value: true, served: true },
  /** All five `terminal/*` methods or none. */
  terminal: { value: true, served: true },
  'session.configOptions.boolean': { value: {}, served: true },
  'session.notices': { value: {}, served: true },
  'session.compaction': { value: {}, served: true },
  /** Subagents have sessions of their own, which are shown as calls; see `thread/childSessions.ts`. Not stable. */
  subagents: { value: {}, served: true },
  /** Sign-in by running the agent's own command in a terminal. */
  'auth.terminal': { value: true, served: true },
  'elicitation.form': { value: {}, served: true },
  'elicitation.url': { value: {}, served: true },
  /** Output of commands that the agent runs itself, in `_meta` of tool calls. Parley reads it even if this is off. */
  '_meta.terminal_output': { value: true, served: true },
  /** The older way to sign in by a command, which the agent spells out. */
  '_meta.terminal-auth': { value: true, served: true },
} as const;

export type FeatureName = keyof typeof table;

/**
 * The capabilities that are on for one agent. Requests for others are answered with -32601 (items 26, 30), elicitations
 * with -32602 (item 166).
 */
export type ClientFeatures = Readonly<Record<FeatureName, boolean>>;

export const featureNames = Object.keys(table) as readonly FeatureName[];

/** Everything that Parley implements. */
export const allFeatures: ClientFeatures = featuresWith({});

/**
 * Everything that Parley implements, without what `switches` turns off. Switching on an unimplemented one has no
 * effect.
 */
export function featuresWith(switches: Partial<ClientFeatures>): ClientFeatures {
  return Object.fromEntries(
    featureNames.map((name) => [name, table[name].served && switches[name] !== false]),
  ) as ClientFeatures;
}

/** Reads the capability switches of an agent's settings entry. @returns the problem in words if they cannot be used. */
export function decodeSwitches(raw: unknown): Partial<ClientFeatures> | string {
  if (raw === undefined) return {};
  if (!isObject(raw)) return l10n.t('capabilities must map names to true or false');
  for (const [name, value] of Object.entries(raw)) {
    if (!(featureNames as readonly string[]).includes(name))
      return l10n.t('capabilities has no switch “{0}”. Use one of: {1}', name, featureNames.join(', '));
    if (typeof value !== 'boolean') return l10n.t('capabilities: “{0}” must be true or false', name);
  }
  return raw;
}

/** The capabilities that `initialize` advertises: only implemented ones. */
export function clientCapabilities(features: ClientFeatures): ClientCapabilities {
  const capabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  for (const name of featureNames) if (features[name]) put(capabilities, name.split('.'), table[name].value);
  return capabilities;
}

function put(target: Record<string, unknown>, [key, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[key!] = value;
  else put((target[key!] ??= {}) as Record<string, unknown>, rest, value);
}
