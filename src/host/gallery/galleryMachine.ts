import type { Logger } from '../../base/log';
import { findProgram } from '../../node/findProgram';
import type { RuntimeName } from '../../node/installFailure';
import type { Machine } from '../../registry/offer';
import type { AgentPrograms } from '../agents/agentPrograms';
import type { AgentConfiguration } from '../agents/agentSettings';
import { askToInstall } from './askInFull';
import type { AgentOffer } from './galleryAgents';

export type Desk = Awaited<ReturnType<AgentPrograms['desk']>>;

/** Until the PATH was read, nothing is reported as missing. */
export const assumedMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  hasNode: true,
  hasUv: true,
};

/** Looks for package managers, the user's and Parley's own. */
export async function readMachine({ installer, surroundings: { env, avoid } }: Desk): Promise<Machine> {
  const [node, npm, uv] = await Promise.all(
    ['node', 'npm', 'uv'].map((name) => findProgram(name, installer.store.root, env, { avoid })),
  );
  const fits = async (name: RuntimeName) => (await installer.runtime(name)).fits();
  const hasNode = (node !== undefined && npm !== undefined) || (await fits('node'));
  return { ...assumedMachine, hasNode, hasUv: uv !== undefined || (await fits('uv')) };
}

/**
 * Asks before an agent is installed, with the runtime that would be downloaded, too.
 * @returns whether the user agreed to a runtime; undefined if they declined
 */
export async function agreeToInstall(
  programs: () => Promise<AgentPrograms>,
  name: string,
  offered: AgentOffer,
  isUpdate: boolean,
  log: Logger,
): Promise<{ readonly toRuntime: boolean } | undefined> {
  const { installer, surroundings } = await (await programs()).desk();
  const runtime = await installer.missingRuntime(offered.item, surroundings).catch((error: unknown) => {
    // The installation itself says it to the user.
    log.warn(`Runtime: ${String(error)}`);
    return undefined;
  });
  return (await askToInstall(name, offered, runtime, isUpdate)) ? { toRuntime: runtime !== undefined } : undefined;
}

/** A runtime of Parley's own goes with the last agent that could need it. */
export async function removeUnusedRuntimes(
  programs: AgentPrograms,
  installer: Desk['installer'],
  agents: readonly AgentConfiguration[],
): Promise<void> {
  for (const [manager, name] of [['npm', 'node'] as const, ['uv', 'uv'] as const]) {
    const sources = agents.flatMap(({ source }) => (source?.manager === manager ? [source] : []));
    const installed = await Promise.all(sources.map((source) => programs.versionOf(source)));
    if (installed.every((version) => version === undefined)) await (await installer.runtime(name)).remove();
  }
}
