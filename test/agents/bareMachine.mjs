import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../launch/project.mjs';

const managers = /^(?:node|nodejs|npm|npx|corepack|python|pip|uv)/;

/** @returns a folder for PATH with this machine's programs, but none that run or install agents */
export function bareMachine() {
  const bare = temporaryFolder('bare');
  for (const folder of ['/bin', '/usr/bin'])
    for (const name of readdirSync(folder).filter((item) => !managers.test(item)))
      if (!existsSync(join(bare, name))) symlinkSync(join(folder, name), join(bare, name));
  return bare;
}
