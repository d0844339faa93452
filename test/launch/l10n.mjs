/** Writes `l10n/bundle.l10n.json`: every message in the code, for translators. `npm run l10n`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { root } from './project.mjs';

/** The messages of the extension and the panel by their English text. @returns {Promise<Record<string, unknown>>} */
async function messages() {
  const files = ['src', 'webview'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')).toSorted();
  const found = await getL10nJson(
    sources.map((file) => ({ extension: '.ts', contents: joinedTexts(readFileSync(join(root, file), 'utf8')) })),
  );
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Texts cut over several lines are one literal for the export, which finds no others. @param {string} code */
function joinedTexts(code) {
  return code.replaceAll(/' \+\n\s*'/g, '');
}

mkdirSync(join(root, 'l10n'), { recursive: true });
writeFileSync(join(root, 'l10n/bundle.l10n.json'), `${JSON.stringify(await messages(), null, 2)}\n`);
