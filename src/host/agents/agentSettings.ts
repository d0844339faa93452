import * as vscode from 'vscode';
import type { ProtocolVersion } from '../../acp/agentConnection';
import { type ClientFeatures, decodeSwitches } from '../../acp/clientFeatures';
import { asObject, isObject, stringOf } from '../../acp/json';
import type { NotificationKind, NotificationSetting } from '../../view/attention';
import { soundVolume } from '../../view/sounds';
import type { AutoKeepMode } from '../../changes/autoKeepRules';
import { isAbsolutePath } from '../../view/labels';
import { type AgentPackage, exactPackage, isProgramName, type ManagerName, specExamples, specOf } from '../../registry/packageNames';
import { type BuiltInAgent, catalogue } from './catalogue';

/** The package of an agent that Parley installs. */
export interface AgentSource extends AgentPackage {
  /** The version is written in the setting. Else the one that the user chose last starts, which may be another. */
  readonly pinned: boolean;
}

/** One entry of `parley.agents`, checked. */
export interface AgentConfiguration {
  /** Key of the setting, shown to the person. */
  readonly name: string;
  /** As the user wrote it; of an agent that is installed, its package and version until its program is known. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Set for an agent that Parley installs. */
  readonly source?: AgentSource;
  /** Folder of the agent's own commands, where it is known. */
  readonly programFolder?: string;
  /** The version of ACP in which it is spoken to first; 1 when absent. */
  readonly protocol?: ProtocolVersion;
  /** What Parley does not offer to this agent although it could. */
  readonly capabilities: Partial<ClientFeatures>;
  /** The demo agent that is part of the extension. */
  readonly isDemo?: boolean;
}

export const demoAgentName = 'Parley Demo';

export interface AgentSettings {
  readonly agents: readonly AgentConfiguration[];
  /** Entries that could not be used, in words. */
  readonly problems: readonly string[];
}

/**
 * The built-in agents and `parley.agents`, whose entries take the place of built-in ones with their name. Only user and machine values count, whatever a repository writes: the setting has the scope
 * `machine`, and workspace values are not even looked at here.
 */
export function readAgents(extensionUri: vscode.Uri): AgentSettings {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<unknown>('agents');
  const lockOf = (id: string) => vscode.Uri.joinPath(extensionUri, 'media', 'agents', `${id}.lock.json`).fsPath;
  const own = asObject(inspected?.globalValue);
  const agents: AgentConfiguration[] = [];
  const problems: string[] = [];
  for (const name of new Set([...catalogue.map((item) => item.name), ...Object.keys(own)])) {
    const value = own[name];
    // `null` hides a built-in agent.
    if (value === null || name === demoAgentName) continue;
    const builtIn = catalogue.find((item) => item.name === name);
    const decoded = decodeAgent(name, value ?? {}, builtIn && { ...builtIn, lock: builtIn.locked ? lockOf(builtIn.id) : undefined });
    if (typeof decoded === 'string') problems.push(decoded);
    else agents.push(decoded);
  }
  return { agents: [...agents, demoAgent(extensionUri)], problems };
}

/** @param builtIn what an entry of its name completes, unless it names a program itself */
export function decodeAgent(name: string, value: unknown, builtIn?: BuiltInAgent & { readonly lock: string | undefined }): AgentConfiguration | string {
  if (!isObject(value)) return `“${name}” must be an object with a command`;
  const command = stringOf(value['command'])?.trim();
  const named = (['npm', 'uv'] as const).flatMap((manager) => (stringOf(value[manager])?.trim() ? [manager] : []));
  if (named.length + (command ? 1 : 0) > 1) return `“${name}” has ${command ? 'a command and ' : ''}${named.map((manager) => packageWords[manager]).join(' and ')}; it needs only one of them`;
  const [manager] = named;
  const base = command || manager ? undefined : builtIn;
  const program = stringOf(value['program'])?.trim() || undefined;
  if (program !== undefined && (manager !== 'uv' || !isProgramName(program))) return `“${name}”: program must name a command of the package in uv`;
  const source = manager ? pinned(exactPackage(manager, stringOf(value[manager])!.trim(), program)) : base && builtInSource(base);
  if (manager && !source) return `“${name}”: ${manager} must be a package with its exact version, such as ${specExamples[manager]}`;
  if (!command && !source) return `“${name}” has no command`;
  const args = value['args'] ?? base?.args ?? [];
  if (!Array.isArray(args) || !args.every((item) => typeof item === 'string')) return `“${name}”: args must be a list of strings`;
  const env = value['env'] ?? {};
  if (!isObject(env) || !Object.values(env).every((item) => typeof item === 'string')) return `“${name}”: env must map names to strings`;
  const cwd = stringOf(value['cwd']);
  if (cwd !== undefined && cwd !== '' && !isAbsolutePath(cwd)) return `“${name}”: cwd must be an absolute path`;
  const capabilities = decodeSwitches(value['capabilities']);
  if (typeof capabilities === 'string') return `“${name}”: ${capabilities}`;
  const protocol = value['protocol'] ?? 1;
  if (protocol !== 1 && protocol !== 2) return `“${name}”: protocol must be 1 or 2`;
  return {
    name,
    command: command || specOf(source!),
    args: args as string[],
    env: { ...base?.env, ...(env as Record<string, string>) },
    ...(cwd ? { cwd } : {}),
    ...(source ? { source } : {}),
    ...(protocol === 1 ? {} : { protocol }),
    capabilities,
  };
}

const packageWords: Readonly<Record<ManagerName, string>> = { npm: 'an npm package', uv: 'a Python package' };

function pinned(item: AgentPackage | undefined): AgentSource | undefined {
  return item && { ...item, pinned: true };
}

function builtInSource({ id, package: name, version, lock }: BuiltInAgent & { readonly lock: string | undefined }): AgentSource {
  return { manager: 'npm', key: id, name, version, ...(lock ? { lock } : {}), pinned: false };
}

/** `parley.terminal.env`; machine scope, what is neither text nor null is passed over. */
export function terminalVariables(): Readonly<Record<string, string | null>> {
  const variables = Object.entries(asObject(globalValue('terminal.env')));
  return Object.fromEntries(variables.filter((entry): entry is [string, string | null] => entry[0] !== '' && (entry[1] === null || typeof entry[1] === 'string')));
}

/** Runs on the Node that runs us, so that it needs nothing installed. */
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

export function defaultAgentName(): string {
  return globalValue<string>('defaultAgent') ?? '';
}

export function sendWith(): 'enter' | 'ctrlEnter' {
  return vscode.workspace.getConfiguration('parley').get('sendWith') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
}

export function notificationSetting(): NotificationSetting {
  const value = vscode.workspace.getConfiguration('parley').get('notifications');
  return value === 'off' || value === 'all' ? value : 'waiting';
}

/** How loud the person is told of something, 0 to 1; undefined where no sound is played. */
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

export function traceContext(): boolean {
  return globalValue<boolean>('trace.context') === true;
}

/** When changes are kept without a click; anything unknown means never. */
export function autoKeepMode(): AutoKeepMode {
  const mode = globalValue<string>('review.autoKeep');
  return mode === 'onCommit' || mode === 'onNextPrompt' || mode === 'afterDelay' ? mode : 'never';
}

export function autoKeepDelayMs(): number {
  const seconds = globalValue<number>('review.autoKeepDelay');
  return 1_000 * (typeof seconds === 'number' && seconds >= 1 ? Math.min(seconds, 3_600) : 30);
}

/** Values that a repository must not set. */
function globalValue<T>(key: string): T | undefined {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<T>(key);
  return inspected?.globalValue ?? inspected?.defaultValue;
}
