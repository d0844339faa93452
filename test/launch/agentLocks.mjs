/**
 * `node test/launch/agentLocks.mjs [ID…]`: makes media/agents/<id>.lock.json anew for built-in agents whose lockfile is
 * shipped. Run it with a registry that has the packages for every system: a lockfile without them would not install
 * there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInAgents } from './builtInAgents.mjs';
import { removeFolder, root, temporaryFolder } from './project.mjs';
import { npm } from './run.mjs';

/**
 * Optional packages that an agent does without, by agent: only pictures from the clipboard need them, and an editor has
 * its own.
 */
const dispensable = /** @type {Record<string, RegExp>} */ ({ qwen: /^@teddyzhu\/clipboard-/ });

const wanted = process.argv.slice(2);

for (const { id, package: name, version } of builtInAgents().filter((item) =>
  wanted.length > 0 ? wanted.includes(item.id) : item.locked,
)) {
  const folder = temporaryFolder('lock');
  try {
    // The same project as `manifestFor` in src/node/installPackage.ts makes; npm compares both.
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'parley-agent', private: true, dependencies: { [name]: version } }),
    );
    await npm(
      ['install', '--package-lock-only', '--ignore-scripts', '--omit=dev', '--omit-lockfile-registry-resolved'],
      { cwd: folder },
    );
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const missing = withoutMissing(lock, dispensable[id]);
    if (missing.length > 0) {
      throw new Error(`The registry does not have ${missing.join(', ')}, which ${name} names. Nothing was written.`);
    }
    mkdirSync(join(root, 'media/agents'), { recursive: true });
    const text = `${JSON.stringify(lock, null, 1)}\n`;
    writeFileSync(join(root, 'media/agents', `${id}.lock.json`), text);
    console.log(
      `${id}: ${name}@${version}, ${Object.keys(lock.packages).length - 1} packages, ${(text.length / 1024).toFixed(0)} KB`,
    );
  } catch (error) {
    console.error(`${id}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    removeFolder(folder);
  }
}

/**
 * Takes dispensable packages that the registry does not have out of a lockfile.
 * @param {any} lock
 * @param {RegExp | undefined} mayMiss
 * @returns {string[]} those that are missing and needed
 */
function withoutMissing(lock, mayMiss) {
  const present = new Set(
    Object.keys(lock.packages).map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const missing = new Set();
  for (const locked of Object.values(lock.packages)) {
    for (const name of Object.keys(locked.optionalDependencies ?? {}).filter((item) => !present.has(item))) {
      if (mayMiss?.test(name)) {
        delete locked.optionalDependencies[name];
      } else {
        missing.add(name);
      }
    }
  }
  return [...missing];
}
