import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { catalogue } from './catalogue';

/** The icons of the built-in agents by name: SVG, base64. @param folder `media/agents` of the extension */
export async function builtInIcons(folder: string): Promise<Readonly<Record<string, string>>> {
  const icons = await Promise.all(
    catalogue.map(
      async ({ id, name }) => [name, await readFile(path.join(folder, `${id}.svg`), 'base64').catch(() => '')] as const,
    ),
  );
  return Object.fromEntries(icons.filter(([, icon]) => icon !== ''));
}
