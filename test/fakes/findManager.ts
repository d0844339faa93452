import type { LookupEnvironment } from '../../src/node/findProgram';
import { findNode } from '../../src/node/nodeRuntime';
import { findNpm } from '../../src/node/npm';
import { npmPackages } from '../../src/node/npmPackages';
import type { PackageManager } from '../../src/node/packageManager';
import type { ManagerName } from '../../src/registry/packageNames';
import { findUv } from '../../src/node/uv';
import { uvPackages } from '../../src/node/uvPackages';

/** The package manager that PATH has. @param folder the store's */
export async function findManager(name: ManagerName, folder: string, env: LookupEnvironment): Promise<PackageManager> {
  const node = name === 'npm' ? await findNode(env, folder, []) : undefined;
  const npm = node && (await findNpm(node, folder, env, []));
  const uv = name === 'uv' ? await findUv(folder, env, []) : undefined;
  if (node && npm) return npmPackages(node, npm);
  if (uv) return uvPackages(uv);
  throw new Error(`no ${name}`);
}
