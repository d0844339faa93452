import { neverCancelled } from '../../src/base/cancellation';
import { type AgentPackage, AgentStore } from '../../src/node/agentStore';
import { installPackage } from '../../src/node/installPackage';
import { findNode } from '../../src/node/nodeRuntime';
import { findNpm } from '../../src/node/npm';
import { treeMark } from '../../src/node/treeMark';
import { Watchdog } from '../../src/node/watchdog';

/* Stands for an extension host that installs a package: `installHost.js <watchdog.js> <store> <package as JSON>`. */
async function main([program = '', root = '', item = '']: readonly string[]): Promise<void> {
  const node = await findNode(process.env, root, []);
  const npm = node && (await findNpm(node, root, process.env, []));
  if (!node || !npm) throw new Error('no Node or npm');
  await installPackage({ package: JSON.parse(item) as AgentPackage, store: new AgentStore(root), node, npm, token: neverCancelled, tree: { mark: treeMark, watchdog: new Watchdog(program) }, onProgress: () => undefined, mayRunScript: () => Promise.resolve(false) });
}

void main(process.argv.slice(2));
