import { neverCancelled } from '../../src/base/cancellation';
import { AgentStore } from '../../src/node/agentStore';
import { archivePackages } from '../../src/node/archivePackages';
import { installPackage } from '../../src/node/installPackage';
import type { AgentPackage } from '../../src/registry/packageNames';
import { processTag } from '../../src/node/processTag';
import { Watchdog } from '../../src/node/watchdog';
import { findManager } from './findManager';

/* Stands for an extension host that installs a package: `installHost.js <watchdog.js> <store> <package as JSON>`. */
async function main([program = '', root = '', text = '']: readonly string[]): Promise<void> {
  const item = JSON.parse(text) as AgentPackage;
  const manager = item.manager === 'archive' ? archivePackages('') : await findManager(item.manager, root, process.env);
  await installPackage({
    package: item,
    store: new AgentStore(root),
    manager,
    token: neverCancelled,
    tree: { mark: processTag, watchdog: new Watchdog(program) },
    onProgress: () => undefined,
    mayRunScript: () => Promise.resolve(false),
  });
}

void main(process.argv.slice(2));
