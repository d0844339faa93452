import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly extensionKind: readonly string[];
};
const code = ['src', 'webview'].flatMap((top) =>
  readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [`${top}/${name}`, readFileSync(path.join(root, top, name), 'utf8')] as const),
);
const filesWith = (pattern: RegExp) => code.flatMap(([file, text]) => (pattern.test(text) ? [file] : []));

it('the manifest asks for no proposed API and for no other extension', () => {
  for (const key of ['enabledApiProposals', 'extensionDependencies', 'extensionPack'])
    expect(manifest).not.toHaveProperty(key);
  expect(manifest.extensionKind).toEqual(['workspace']);
});

it('the code is compiled against the oldest API that it runs with', () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
});

it('no API is used that other editors of the family leave out, and no other extension', () => {
  expect(filesWith(/\bvscode\.(?:chat|authentication)\b|\bgetExtension\(/)).toEqual([]);
});

it('tools of other extensions are used in one file, which finds out whether the editor has them', () => {
  const file = 'src/host/editor/relayedTools.ts';
  expect(filesWith(/\blm\b/)).toEqual([file]);
  const text = code.find(([name]) => name === file)![1];
  expect(text).toContain("Pick<typeof vscode.lm, 'tools' | 'invokeTool'>");
  expect(text).toContain('vscode as { readonly lm?: Partial<Tools> }');
  expect([...text.matchAll(/\blm\??\.(\w+)/g)].map(([, member]) => member)).toEqual(['tools', 'invokeTool']);
});

it('no service of Microsoft is named', () => {
  expect(filesWith(/\b(?:microsoft|visualstudio|azure|live|bing)\.(?:com|net)\b|\bvscode\.dev\b|\baka\.ms\b/i)).toEqual(
    [],
  );
});
