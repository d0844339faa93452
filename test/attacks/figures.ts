import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/project.mjs';

/**
 * Keeps what an attack was measured at, for the report. The last run wins.
 * @param attack the `name` of its row in `items`.
 * @param words one short line, such as `host +41 MB, 2.1 s`.
 */
export function recordFigure(attack: string, words: string): void {
  const folder = join(root, 'out/results/attacks');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${attack}.txt`), `${words}\n`);
  console.log(`${attack}: ${words}`);
}
