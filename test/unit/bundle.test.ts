import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** As the build prints sizes. Bytes. */
const KB = 1024;

const root = path.join(import.meta.dirname, '../..');
const packagesOf = (inputs: readonly string[]) =>
  [...new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []))].sort();

interface Output {
  readonly bytes: number;
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly bytes: number }>>;
  readonly outputs: Readonly<Record<string, Output>>;
}

/* What was built, held to its budgets. The metafiles say what is in it. */
describe.runIf(existsSync(path.join(root, 'dist/meta/extension.json')))('bundles', () => {
  const metafile = (name: string) =>
    JSON.parse(readFileSync(path.join(root, `dist/meta/${name}.json`), 'utf8')) as Metafile;
  const meta = (name: string) => Object.keys(metafile(name).inputs);
  const size = (name: string) => statSync(path.join(root, 'dist', name)).size;
  /** What is loaded with files at once: those and all that they import statically. */
  const loadedWith = (
    name: string,
    ...files: readonly string[]
  ): { readonly bytes: number; readonly inputs: readonly string[] } => {
    const { outputs } = metafile(name);
    const found = new Set<string>();
    const add = (output: string): void => {
      if (found.has(output) || !outputs[output]) return;
      found.add(output);
      for (const item of outputs[output].imports) if (item.kind === 'import-statement') add(item.path);
    };
    files.forEach(add);
    return {
      bytes: [...found].reduce((sum, output) => sum + outputs[output]!.bytes, 0),
      inputs: [...found].flatMap((output) => Object.keys(outputs[output]!.inputs)),
    };
  };

  const chunkOf = (source: string) =>
    Object.entries(metafile('extension').outputs).find(
      ([, { entryPoint }]) => entryPoint === source || entryPoint === `door:${source}`,
    )![0];

  it('a window in which Parley is not used loads under 25 KB, one with a first prompt under 610 KB', () => {
    expect(loadedWith('extension', 'dist/extension.mjs').bytes).toBeLessThan(25 * KB);
    // What greets a new user, and offers fixes where the cursor is, comes without the window.
    const unused = ['attention/greeting.ts', 'ask/quickFixes.ts'].map((file) => chunkOf(`src/host/${file}`));
    expect(loadedWith('extension', 'dist/extension.mjs', ...unused).bytes).toBeLessThan(27 * KB);
    const panel = loadedWith('extension', 'dist/extension.mjs', chunkOf('src/host/composition/window.ts'));
    expect(packagesOf(panel.inputs)).toEqual(['@vscode/l10n', 'diff']);
    const agent = loadedWith(
      'extension',
      'dist/extension.mjs',
      ...['composition/window.ts', 'agents/linkAgent.ts'].map((file) => chunkOf(`src/host/${file}`)),
    );
    expect(packagesOf(agent.inputs)).toEqual(['@vscode/l10n', 'diff', 'vscode-jsonrpc']);
    // The first prompt also loads what watches files and keeps them; `npm run bench:idle` measures all of it.
    const watching = [
      'agents/agentPrograms.ts',
      'changes/stored/beforeImages.ts',
      'changes/disk/diskChanges.ts',
      'files/fileListing.ts',
    ];
    const prompt = loadedWith(
      'extension',
      'dist/extension.mjs',
      ...['composition/window.ts', 'agents/linkAgent.ts', ...watching].map((file) => chunkOf(`src/host/${file}`)),
    );
    expect(prompt.bytes).toBeLessThan(610 * KB);
    // What commands do comes with the first one, what installs agents with the first agent of a package, what is about
    // earlier sessions with the first of them, and words for a failure with the failure.
    const later = [
      'src/host/panel/sessionCommands.ts',
      'src/host/panel/permissionCommands.ts',
      'src/host/sessions/optionPickers.ts',
      'src/host/sessions/folderPicker.ts',
      'src/host/sessions/transcriptReader.ts',
      'src/host/sessions/sessionDeletion.ts',
      'src/host/sessions/conversationChoice.ts',
      'src/host/agents/startWords.ts',
      'src/node/agentStore.ts',
      'src/node/nodeRuntime.ts',
    ];
    expect(later.filter((file) => prompt.inputs.includes(file))).toEqual([]);
    // A file that was renamed would prove nothing.
    expect(meta('extension')).toEqual(expect.arrayContaining(later));
    // What unpacks archives comes with the first archive.
    const installing = loadedWith(
      'extension',
      chunkOf('src/host/agents/installedAgents.ts'),
      chunkOf('src/host/composition/openGallery.ts'),
    );
    expect(packagesOf(installing.inputs.filter((file) => !panel.inputs.includes(file)))).toEqual([]);
  });

  it('every part of the host can be loaded', () => {
    const files = Object.keys(metafile('extension').outputs).filter((file) => file.endsWith('.mjs'));
    expect(files.length).toBeGreaterThan(50);
    execFileSync(
      process.execPath,
      [path.join(root, 'test/fakes/loadBundle.mjs'), ...files.map((file) => path.join(root, file))],
      { stdio: 'pipe' },
    );
  });

  it('the webview is under 320 KB and is made of what a webview may know', () => {
    const { bytes, inputs } = loadedWith('webview', 'dist/webview.js');
    expect(bytes).toBeLessThan(320 * KB);
    expect(packagesOf(inputs)).toEqual(['@vscode/l10n', 'dompurify', 'lit-html', 'marked']);
    const own = meta('webview').filter((input) => !input.includes('node_modules'));
    expect(own.filter((input) => !/^(?:(?:webview|src\/base|src\/protocol)\/|diagram-program:)/.test(input))).toEqual(
      [],
    );
  });

  it('the gallery of agents is a file of its own, loaded on first need', () => {
    const [, { bytes }] = Object.entries(metafile('webview').outputs).find(([, { entryPoint }]) =>
      entryPoint?.endsWith('galleryPage.ts'),
    )!;
    expect(bytes).toBeLessThan(15 * KB);
  });

  it('Find is a file of its own, loaded on first need', () => {
    const [, { bytes }] = Object.entries(metafile('webview').outputs).find(([, { entryPoint }]) =>
      entryPoint?.endsWith('findBox.ts'),
    )!;
    expect(bytes).toBeLessThan(15 * KB);
  });

  it('what colours code is a file of its own, loaded on first need', () => {
    const [file] = Object.entries(metafile('webview').outputs).find(([, { entryPoint }]) =>
      entryPoint?.endsWith('highlighter.ts'),
    )!;
    const { bytes, inputs } = loadedWith('webview', file);
    expect(bytes).toBeLessThan(120 * KB);
    expect(packagesOf(inputs)).toEqual(['highlight.js']);
  });

  it('what draws formulas is a file of its own, loaded on first need', () => {
    const [file] = Object.entries(metafile('webview').outputs).find(([, { entryPoint }]) =>
      entryPoint?.endsWith('mathRenderer.ts'),
    )!;
    const { bytes, inputs } = loadedWith('webview', file);
    expect(bytes).toBeLessThan(240 * KB);
    expect(packagesOf(inputs)).toEqual(['temml']);
  });

  it('what draws diagrams is a file of its own, loaded on first need', () => {
    const [file] = Object.entries(metafile('webview').outputs).find(([, { entryPoint }]) =>
      entryPoint?.endsWith('diagramBlock.ts'),
    )!;
    expect(loadedWith('webview', file).bytes).toBeLessThan(3_610 * KB);
    const notices = readFileSync(path.join(root, 'dist/third-party-notices.txt'), 'utf8');
    for (const name of ['mermaid', '@mermaid-js/parser', 'd3-shape', 'dagre-d3-es', 'cytoscape', 'khroma'])
      expect(notices).toContain(`\n${name} `);
    // Licences that a program of ours cannot have, or not worth their size.
    expect(notices).not.toMatch(/^(?:elkjs|katex) /m);
  });

  it('the watchdog needs nothing but Node, and little of it', () => {
    expect(packagesOf(meta('watchdog'))).toEqual([]);
    expect(size('watchdog.js')).toBeLessThan(10 * KB);
  });

  it('what unpacks bzip2 is small', () => {
    expect(packagesOf(meta('bunzip'))).toEqual(['through', 'unbzip2-stream']);
    expect(size('bunzip.js')).toBeLessThan(20 * KB);
  });

  it('the demo agent needs nothing but Node', () => {
    expect(packagesOf(meta('demoAgent'))).toEqual([]);
  });
});
