import * as l10n from '@vscode/l10n';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPackage } from '../registry/packageNames';
import { InstallFailure } from './installFailure';
import type { InstalledProgram } from './packageManager';

/**
 * The program of an installed package by its package.json; if it has several, the one with the package's name, as npx
 * does.
 * @param folder the package's installation, with `node_modules`
 * @throws InstallFailure with the reason.
 */
export async function npmProgramOf(
  folder: string,
  { name, program }: Pick<AgentPackage, 'name' | 'program'>,
): Promise<InstalledProgram> {
  return programIn(folder, name, program).catch((error: Error) =>
    Promise.reject(new InstallFailure({ kind: 'noProgram', output: error.message })),
  );
}

async function programIn(folder: string, name: string, program: string | undefined): Promise<InstalledProgram> {
  const packageFolder = path.join(folder, 'node_modules', name);
  const { bin, engines } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as {
    bin?: unknown;
    engines?: { node?: unknown };
  };
  const commands =
    typeof bin === 'string'
      ? [[name, bin] as const]
      : Object.entries(typeof bin === 'object' && bin !== null ? bin : {});
  const named =
    commands.length === 1 && program === undefined
      ? commands[0]
      : commands.find(([command]) => command === (program ?? name.split('/').at(-1)));
  if (!named || typeof named[1] !== 'string') throw new Error(l10n.t('{0} has no command that can be started.', name));
  const file = path.resolve(packageFolder, named[1]);
  const line = await firstLine(file);
  const shebang = /^#!\s*\S*\/(?:env\s+(?:-S\s+)?)?node(?:\s+(.*))?$/.exec(line);
  const isScript = shebang !== null || (!line.startsWith('#!') && /\.[cm]?js$/.test(file));
  return {
    isScript,
    file,
    nodeArgs: shebang?.[1]?.trim().split(/\s+/).filter(Boolean) ?? [],
    binFolder: path.join(folder, 'node_modules/.bin'),
    engines: engines?.node,
  };
}

async function firstLine(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead).split(/\r?\n/, 1)[0]!;
  } finally {
    await handle.close();
  }
}
