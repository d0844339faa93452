import type { AgentStore } from './agentStore';
import { InstallFailure } from './installFailure';
import type { FillRequest, PackageManager } from './packageManager';

export interface InstallRequest extends FillRequest {
  readonly store: AgentStore;
  readonly manager: Pick<PackageManager, 'install'>;
}

/**
 * Installs a package in a staging folder of the store and finishes it by one rename. Does nothing if the version is
 * installed.
 * @throws InstallFailure; nothing is left behind then.
 */
export async function installPackage(request: InstallRequest): Promise<void> {
  const { package: item, store, manager } = request;
  await store.sweep();
  if (await store.isInstalled(item)) return;
  let staged: string | undefined;
  try {
    staged = await store.stage(item);
    await manager.install(staged, request);
    if (request.token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
    await store.finish(staged, item);
  } catch (error) {
    throw InstallFailure.of(error);
  } finally {
    if (staged !== undefined) await store.discard(staged).catch(() => undefined);
  }
}
