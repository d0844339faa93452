import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ProtocolVersion } from '../../acp/agentConnection';
import { type ClientFeatures, decodeSwitches } from '../../acp/clientFeatures';
import { asObject, stringOf } from '../../base/decode';
import { isObject, type JsonObject } from '../../base/json';
import { type NotificationKind, type NotificationSetting, soundVolume } from '../../view/attention';
import { asAutoKeepMode, type AutoKeepMode } from '../../changes/autoKeepRules';
import { isAbsolutePath } from '../../view/labels';
import {
  type AgentPackage,
  archivePackage,
  exactPackage,
  isProgramName,
  programPath,
  specExamples,
  specOf,
} from '../../registry/packageNames';
import { isVersion } from '../../registry/versions';
import { foldersOnDisk } from '../platform/workspaceFolders';
import { expandEntry } from './agentVariables';
import { type BuiltInAgent, catalogue } from './catalogue';

/** The package of an agent that Parley installs. */
export interface AgentSource extends AgentPackage {
  /** The version is written in the setting. Else the version that the user chose last starts, which may differ. */
  readonly pinned: boolean;
}

/** One entry of `parley.agents`, checked. */
export interface AgentConfiguration {
  /** Key of the setting, shown to the user. */
  readonly name: string;
  /** As the user wrote it; for an installed agent, its package and version until its program is known. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The only MCP servers that it gets, by name; all if absent. */
  readonly mcpServers?: readonly string[];
  /** Set for an agent that Parley installs. */
  readonly source?: AgentSource;
  /** Folders of the agent's own commands, as in PATH, if they are known. */
  readonly programFolders?: string;
  /** The version of ACP that is tried first; 1 if absent. */
  readonly protocol?: ProtocolVersion;
  /** Capabilities that Parley does not offer to this agent. */
  readonly capabilities: Partial<ClientFeatures>;
  /** Its id in the index of agents, if it was installed from there. */
  readonly registry?: string;
  /** Name of the extension that added it to this window. */
  readonly extension?: string;
  /** The demo agent that is part of the extension. */
  readonly isDemo?: boolean;
}

export const demoAgentName = 'Parley Demo';

export interface AgentSettings {
  readonly agents: readonly AgentConfiguration[];
  /** Unusable entries, and why. */
  readonly problems: readonly { readonly name: string; readonly text: string }[];
}

/**
 * The built-in agents and `parley.agents`, whose entries replace built-in ones with their name. Only user and machine
 * values count, not those of a repository: the setting has the scope `machine`, and workspace values are not read.
 */
export function readAgents(extensionUri: vscode.Uri): AgentSettings {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<unknown>('agents');
  const lockOf = (id: string) => vscode.Uri.joinPath(extensionUri, 'media', 'agents', `${id}.lock.json`).fsPath;
  const own = asObject(inspected?.globalValue);
  const agents: AgentConfiguration[] = [];
  const problems: AgentSettings['problems'][number][] = [];
  for (const name of new Set([...catalogue.map((item) => item.name), ...Object.keys(own)])) {
    const value = own[name];
    // `null` hides a built-in agent.
    if (value === null || name === demoAgentName) continue;
    const builtIn = catalogue.find((item) => item.name === name);
    const decoded = decodeAgent(
      name,
      expandedEntry(value ?? {}),
      builtIn && { ...builtIn, lock: builtIn.locked ? lockOf(builtIn.id) : undefined },
    );
    if (typeof decoded === 'string') problems.push({ name, text: decoded });
    else agents.push(decoded);
  }
  return { agents: [...agents, demoAgent(extensionUri)], problems };
}

/** An entry of `parley.agents` with its variables replaced, for the first folder of the workspace. */
export function expandedEntry(entry: unknown): unknown {
  return expandEntry(entry, { env: process.env, userHome: homedir(), workspaceFolder: foldersOnDisk()[0] });
}

/**
 * @param builtIn the built-in agent that an entry of its name completes, unless it names a program itself
 * @returns why the entry is unusable, as a sentence for the user
 */
export function decodeAgent(
  name: string,
  value: unknown,
  builtIn?: Omit<BuiltInAgent, 'maker' | 'registry'> & { readonly lock: string | undefined },
): AgentConfiguration | string {
  if (!isObject(value)) return l10n.t('“{0}” must be an object with a command.', name);
  const command = stringOf(value['command'])?.trim();
  const named = (['npm', 'uv', 'archive'] as const).flatMap((manager) =>
    stringOf(value[manager])?.trim() ? [manager] : [],
  );
  if (named.length + (command ? 1 : 0) > 1)
    return l10n.t(
      '“{0}” has {1}. Keep only one of them.',
      name,
      [...(command ? ['command'] : []), ...named].join(', '),
    );
  const [manager] = named;
  const base = command || manager ? undefined : builtIn;
  const program = stringOf(value['program'])?.trim() || undefined;
  const registry = stringOf(value['registry']);
  if (registry !== undefined && !/^[a-z][a-z0-9-]{0,63}$/.test(registry))
    return l10n.t('“{0}”: registry must be an ID, such as my-agent.', name);
  if (program !== undefined && manager !== 'archive' && (manager === undefined || !isProgramName(program)))
    return l10n.t('“{0}”: program must name a command of the package in npm or uv.', name);
  const archive = manager === 'archive' ? archiveSource(name, value, program, registry) : undefined;
  if (typeof archive === 'string') return archive;
  const source =
    archive ??
    (manager && manager !== 'archive'
      ? pinned(exactPackage(manager, stringOf(value[manager])!.trim(), program))
      : base && builtInSource(base));
  if (manager && manager !== 'archive' && !source)
    return l10n.t(
      '“{0}”: {1} must be a package with its exact version, such as {2}.',
      name,
      manager,
      specExamples[manager],
    );
  if (!command && !source) return l10n.t('“{0}” has no command.', name);
  const args = value['args'] ?? base?.args ?? [];
  if (!Array.isArray(args) || !args.every((item) => typeof item === 'string'))
    return l10n.t('“{0}”: args must be a list of strings.', name);
  const env = value['env'] ?? {};
  if (!isObject(env) || !Object.values(env).every((item) => typeof item === 'string'))
    return l10n.t('“{0}”: env must map names to strings.', name);
  const cwd = stringOf(value['cwd']);
  if (cwd !== undefined && cwd !== '' && !isAbsolutePath(cwd))
    return l10n.t('“{0}”: cwd must be an absolute path.', name);
  const mcpServers = value['mcpServers'];
  if (mcpServers !== undefined && !(Array.isArray(mcpServers) && mcpServers.every((item) => typeof item === 'string')))
    return l10n.t('“{0}”: mcpServers must be a list of server names.', name);
  const capabilities = decodeSwitches(value['capabilities']);
  if (typeof capabilities === 'string') return l10n.t('“{0}”: {1}.', name, capabilities);
  const protocol = value['protocol'] ?? 1;
  if (protocol !== 1 && protocol !== 2) return l10n.t('“{0}”: protocol must be 1 or 2.', name);
  return {
    name,
    command: command || specOf(source!),
    args: args as string[],
    env: { ...base?.env, ...(env as Record<string, string>) },
    ...(cwd ? { cwd } : {}),
    ...(mcpServers === undefined ? {} : { mcpServers: mcpServers as string[] }),
    ...(source ? { source } : {}),
    ...(registry === undefined ? {} : { registry }),
    ...(protocol === 1 ? {} : { protocol }),
    capabilities,
  };
}

/** An agent that is downloaded as an archive. @returns the problem, in words */
function archiveSource(
  name: string,
  value: JsonObject,
  program: string | undefined,
  registry: string | undefined,
): AgentSource | string {
  const version = stringOf(value['version'])?.trim() ?? '';
  if (!isVersion(version)) return l10n.t('“{0}”: version must be the version of the archive, such as 1.2.3.', name);
  const path = program === undefined ? undefined : programPath(program);
  if (path === undefined) return l10n.t('“{0}”: program must be a path inside the archive.', name);
  const sha256 = value['sha256'];
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256)))
    return l10n.t('“{0}”: sha256 must have 64 hexadecimal digits.', name);
  // It becomes the name of a folder: an agent of the index already has a safe one.
  const id =
    registry ??
    `${name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 40)}~${checkNumber(name)}`;
  return {
    ...archivePackage(id, name, version, path, {
      address: stringOf(value['archive'])!.trim(),
      ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }),
    }),
    pinned: true,
  };
}

/** Distinguishes names that are equal without their unusual characters. */
function checkNumber(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) >>> 0;
  return sum.toString(36);
}

function pinned(item: AgentPackage | undefined): AgentSource | undefined {
  return item && { ...item, pinned: true };
}

function builtInSource({
  id,
  package: name,
  version,
  lock,
}: Pick<BuiltInAgent, 'id' | 'package' | 'version'> & { readonly lock: string | undefined }): AgentSource {
  return { manager: 'npm', key: id, name, version, ...(lock ? { lock } : {}), pinned: false };
}

/** `parley.terminal.env`; machine scope. Values other than text and null are ignored. */
export function terminalVariables(): Readonly<Record<string, string | null>> {
  const variables = Object.entries(asObject(globalValue('terminal.env')));
  return Object.fromEntries(
    variables.filter(
      (entry): entry is [string, string | null] =>
        entry[0] !== '' && (entry[1] === null || typeof entry[1] === 'string'),
    ),
  );
}

/** Runs on the Node of the extension host, so that it needs no installation. */
function demoAgent(extensionUri: vscode.Uri): AgentConfiguration {
  return {
    name: demoAgentName,
    command: process.execPath,
    args: [vscode.Uri.joinPath(extensionUri, 'dist', 'demoAgent.js').fsPath],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    capabilities: {},
    isDemo: true,
  };
}

/** The address of the index of agents; "" for none. */
export function registryAddress(): string {
  return globalValue<string>('registry.url') ?? '';
}

export function sendWith(): 'enter' | 'ctrlEnter' {
  return vscode.workspace.getConfiguration('parley').get('sendWith') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
}

export function notificationSetting(): NotificationSetting {
  const value = vscode.workspace.getConfiguration('parley').get('notifications');
  return value === 'off' || value === 'all' ? value : 'waiting';
}

/** The volume of a notification sound, 0 to 1; undefined if no sound is played. */
export function volumeOf(kind: NotificationKind): number | undefined {
  const all = vscode.workspace.getConfiguration();
  const value = all.get('parley.sounds');
  return soundVolume(kind, value === 'on' || value === 'off' ? value : 'auto', {
    actionRequired: all.get('accessibility.signals.chatUserActionRequired'),
    responseReceived: all.get('accessibility.signals.chatResponseReceived'),
    volume: all.get('accessibility.signalOptions.volume'),
    support: all.get('editor.accessibilitySupport'),
  });
}

export function traceTraffic(): boolean {
  return globalValue<boolean>('trace.traffic') === true;
}

/** When auto-keep keeps changes. */
export function autoKeepMode(): AutoKeepMode {
  return asAutoKeepMode(globalValue('review.autoKeep'));
}

/** Whether errors that a turn left are shown, or sent to the agent once. */
export function newProblemsMode(): 'off' | 'show' | 'ask' {
  const value = globalValue('newProblems');
  return value === 'off' || value === 'ask' ? value : 'show';
}

/** How undone and edited changes are sent to the agent. */
export function feedbackSetting(): 'offer' | 'always' | 'never' {
  const value = globalValue('review.feedback');
  return value === 'always' || value === 'never' ? value : 'offer';
}

/** A value that a repository must not set. */
function globalValue<T>(key: string): T | undefined {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<T>(key);
  return inspected?.globalValue ?? inspected?.defaultValue;
}
