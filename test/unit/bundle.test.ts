import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const packagesOf = (inputs: readonly string[]) => [...new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []))].sort();

interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly bytes: number }>>;
}

/* What was built, held to its budgets. The metafiles say what is in it. */
describe.runIf(existsSync(path.join(root, 'dist/meta/extension.json')))('bundles', () => {
  const meta = (name: string) => Object.keys((JSON.parse(readFileSync(path.join(root, `dist/meta/${name}.json`), 'utf8')) as Metafile).inputs);
  const size = (name: string) => statSync(path.join(root, 'dist', name)).size;

  it('the host is under 540 KB and holds no SDK code and no terminal emulator', () => {
    expect(packagesOf(meta('extension'))).not.toContain('@agentclientprotocol/sdk');
    expect(packagesOf(meta('extension'))).not.toContain('@xterm/headless');
    expect(size('extension.js')).toBeLessThan(540_000);
  });

  it('the webview is under 300 KB and is made of what a webview may know', () => {
    expect(size('webview.js')).toBeLessThan(300_000);
    expect(packagesOf(meta('webview'))).toEqual(['dompurify', 'lit-html', 'marked']);
    const own = meta('webview').filter((input) => !input.includes('node_modules'));
    expect(own.filter((input) => !/^(webview|src\/base|src\/protocol)\//.test(input))).toEqual([]);
  });

  it('what colours code is a file of its own, loaded on first need', () => {
    expect(size('lazy/highlighter.js')).toBeLessThan(120_000);
    expect(packagesOf(meta('lazy-highlighter'))).toEqual(['highlight.js']);
    expect(meta('lazy-highlighter').filter((input) => !input.includes('node_modules'))).toEqual(['webview/lazy/highlighter.ts']);
  });

  it('the watchdog needs nothing but Node, and little of it', () => {
    expect(packagesOf(meta('watchdog'))).toEqual([]);
    expect(size('watchdog.js')).toBeLessThan(10_000);
  });

  it('the demo agent needs nothing but Node', () => {
    expect(packagesOf(meta('demoAgent'))).toEqual([]);
  });
});
