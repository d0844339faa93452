/**
 * Builds everything that runs: `node esbuild.mjs [--dev] [--watch] [--tests]`.
 *
 *   dist/extension.mjs  the extension host's code (src/extension.ts): what is loaded at activation
 *   dist/host/*.mjs     parts of it that an `import()` loads on first need
 *   dist/watchdog.js    ends what agents started when the host cannot, a program of its own
 *   dist/editorServer.js  the editor's tools for agents (MCP), a program of its own
 *   dist/bunzip.js      unpacks bzip2, in a thread of its own
 *   dist/demoAgent.js   the built-in demo agent, a program of its own
 *   dist/webview.js     the chat panel's script, dist/panel/*.js its parts that are loaded on first need
 *   dist/webview.css    its style, dist/codicon.* its icons
 *   dist/third-party-notices.txt  the licences of the packages whose code is in these files
 *   out/suite/index.js  with --tests: the suite that runs inside VS Code
 *
 * Without flags the output is minified and has no source maps: what is packaged. `--dev` keeps it readable with maps.
 * `dist/meta/*.json` are esbuild's metafiles; tests read bundle sizes and layer breaches from them. `packages.json`
 * beside them has the folders of the packages whose code is in the bundles, for the list of a release.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, parse, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

/** @typedef {{ name: string, entry: string, outfile: string, options: esbuild.BuildOptions }} Target */

/** @type {esbuild.BuildOptions} */
const nodeOptions = {
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  // VS Code hands the translation over, so nothing is read from files: the build for browsers is enough.
  alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
};

/**
 * ES modules, so that esbuild splits them: a module that is loaded lazily is there once, however many parts use it.
 * @type {esbuild.BuildOptions}
 */
const hostOptions = {
  ...nodeOptions,
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'host/[name]-[hash]',
  external: ['vscode', 'node-pty'],
  plugins: [partsOfJsonRpc(), doorsOfTheWindow(), requireInModules()],
};

/** @type {esbuild.BuildOptions} */
const webviewOptions = {
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  splitting: true,
  chunkNames: 'panel/[name]-[hash]',
  plugins: [diagramProgram()],
};

/** @param {{ tests: boolean }} flags @returns {Target[]} */
export function targets({ tests }) {
  /** @type {Target[]} */
  const all = [
    {
      name: 'extension',
      entry: 'src/extension.ts',
      outfile: 'dist/extension.mjs',
      options: hostOptions,
    },
    { name: 'watchdog', entry: 'src/node/watchdogMain.ts', outfile: 'dist/watchdog.js', options: nodeOptions },
    {
      name: 'editorServer',
      entry: 'src/node/editorServerMain.ts',
      outfile: 'dist/editorServer.js',
      options: { ...nodeOptions, plugins: [partsOfJsonRpc()] },
    },
    { name: 'bunzip', entry: 'src/node/bunzipMain.ts', outfile: 'dist/bunzip.js', options: nodeOptions },
    { name: 'demoAgent', entry: 'src/demo/demoAgent.ts', outfile: 'dist/demoAgent.js', options: nodeOptions },
    {
      name: 'webview',
      entry: 'webview/main.ts',
      outfile: 'dist/webview.js',
      options: webviewOptions,
    },
    {
      name: 'styles',
      entry: 'webview/styles/main.css',
      outfile: 'dist/webview.css',
      options: { target: 'chrome120', external: ['./codicon.ttf*'] },
    },
  ];
  if (tests) {
    all.push({
      name: 'suite',
      entry: 'test/vscode/suite/index.ts',
      outfile: 'out/suite/index.js',
      options: {
        ...nodeOptions,
        supported: { 'dynamic-import': false },
        external: ['vscode', 'node-pty', 'mocha'],
        plugins: [suiteFiles()],
      },
    });
  }
  return all;
}

/**
 * Leaves out what nobody uses of vscode-jsonrpc: esbuild cannot, because the package is CommonJS. Its entry for Node is
 * imported only to tell it of timers.
 * @returns {esbuild.Plugin}
 */
function partsOfJsonRpc() {
  const parts = `
    export { createMessageConnection } from './common/connection.js';
    export { CancellationTokenSource } from './common/cancellation.js';
    export { ResponseError } from './common/messages.js';`;
  const forNode = `
    import ral from './common/ral.js';
    const disposable = (start, clear) => (...args) => { const handle = start(...args); return { dispose: () => clear(handle) }; };
    ral.install({ console, timer: { setTimeout: disposable(setTimeout, clearTimeout), setImmediate: disposable(setImmediate, clearImmediate) } });`;
  return {
    name: 'parts-of-jsonrpc',
    setup(build) {
      build.onResolve({ filter: /^vscode-jsonrpc(\/node)?$/ }, ({ path }) => ({ path, namespace: 'jsonrpc' }));
      build.onLoad({ filter: /.*/, namespace: 'jsonrpc' }, ({ path }) => ({
        contents: path === 'vscode-jsonrpc' ? parts : forNode,
        resolveDir: join(root, 'node_modules/vscode-jsonrpc/lib'),
      }));
    },
  };
}

/**
 * Whatever an `import()` loads finds the window there, so it imports the window as well. Otherwise esbuild makes a file for
 * each set of parts that have a module in common: a hundred files before the first prompt instead of some thirty. Some come
 * without the window: what greets a new user, and what offers fixes where the cursor is.
 * @returns {esbuild.Plugin}
 */
function doorsOfTheWindow() {
  const window = 'src/host/composition/window.ts';
  return {
    name: 'doors-of-the-window',
    setup(build) {
      build.onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || /\/(?:greeting|quickFixes)$/.test(path)) return undefined;
        const found = await build.resolve(path, { kind: 'import-statement', importer, resolveDir });
        const file = relative(root, found.path).split(sep).join('/');
        return file === window ? undefined : { path: file, namespace: 'door', errors: found.errors };
      });
      build.onLoad({ filter: /.*/, namespace: 'door' }, ({ path }) => ({
        contents: `export * from './${path}'; import './${window}';`,
        resolveDir: root,
      }));
    },
  };
}

/**
 * Packages in CommonJS ask for Node's modules with `require`, which ES modules do not have. esbuild puts all such calls into
 * one function of one file; only that file gets it.
 * @returns {esbuild.Plugin}
 */
function requireInModules() {
  const line = Buffer.from(
    "import{createRequire as parleyRequire}from'node:module';const require=parleyRequire(import.meta.url);",
  );
  return {
    name: 'require-in-modules',
    setup(build) {
      build.onEnd(({ outputFiles = [] }) => {
        for (const file of outputFiles) {
          if (file.path.endsWith('.mjs') && /\btypeof require\b/.test(file.text))
            file.contents = Buffer.concat([line, file.contents]);
        }
      });
    },
  };
}

/** Gives the suite its list of test files: a bundle cannot look for them at run time. @returns {esbuild.Plugin} */
function suiteFiles() {
  const folder = join(root, 'test/vscode/suite');
  return {
    name: 'suite-files',
    setup(build) {
      build.onResolve({ filter: /^suite-files$/ }, () => ({ path: 'suite-files', namespace: 'suite-files' }));
      build.onLoad({ filter: /.*/, namespace: 'suite-files' }, () => {
        const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((f) => f.endsWith('.test.ts'))
          .toSorted();
        const rows = files.map(
          (f) => `[${JSON.stringify(f)}, () => import(${JSON.stringify(`./${f.split(sep).join('/')}`)})]`,
        );
        return {
          contents: `export const suiteFiles = [${rows.join(',\n')}];`,
          resolveDir: folder,
          watchDirs: [folder],
        };
      });
    },
  };
}

/**
 * Makes the program that draws diagrams, as a text: the panel hands it to a frame that can load nothing. Left out are a
 * layout and a formula renderer (a third of the size), which no diagram needs by default.
 * @returns {esbuild.Plugin}
 */
function diagramProgram() {
  const entry = join(root, 'webview/diagram/program.ts');
  return {
    name: 'diagram-program',
    setup(build) {
      build.onResolve({ filter: /^diagram-program$/ }, () => ({
        path: 'diagram-program',
        namespace: 'diagram-program',
      }));
      build.onLoad({ filter: /.*/, namespace: 'diagram-program' }, async () => {
        const { outputFiles, metafile } = await esbuild.build({
          absWorkingDir: root,
          entryPoints: [entry],
          bundle: true,
          write: false,
          metafile: true,
          logLevel: 'warning',
          legalComments: 'none',
          minify: true,
          platform: 'browser',
          format: 'iife',
          target: 'es2022',
          plugins: [leftOut(/(?:^|\/)(?:elk-\w+\.mjs|katex)$/)],
        });
        noteInputs(metafile, 'dist/panel');
        return { contents: `export const text = ${JSON.stringify(outputFiles[0]?.text)};`, watchFiles: [entry] };
      });
    },
  };
}

/** Modules that are loaded on demand and are not there: the demand fails. @param {RegExp} filter @returns {esbuild.Plugin} */
function leftOut(filter) {
  return {
    name: 'left-out',
    setup(build) {
      build.onResolve({ filter }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
        contents: 'throw new Error("This is not part of Parley.");',
      }));
    },
  };
}

/**
 * What esbuild needs to know to make one target; it gives the files and writes none.
 * @param {Target} target @param {{ dev: boolean }} flags @returns {esbuild.BuildOptions}
 */
export function buildOptions(target, { dev }) {
  return {
    absWorkingDir: root,
    // With parts of its own a target needs a folder to put them into.
    ...(target.options.splitting
      ? { entryPoints: [{ in: target.entry, out: parse(target.outfile).name }], outdir: 'dist' }
      : { entryPoints: [target.entry], outfile: target.outfile }),
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'warning',
    legalComments: 'none',
    charset: 'utf8',
    minify: !dev,
    sourcemap: dev ? 'linked' : target.name === 'suite' ? 'inline' : false,
    ...target.options,
  };
}

/**
 * Writes a target's output and its metafile. Files appear whole and only when they changed, so that a VS Code which is
 * running from dist never reads half a bundle.
 * @param {Target} target @param {Set<string>} written @returns {esbuild.Plugin}
 */
function writeOutput(target, written) {
  return {
    name: 'write-output',
    setup(build) {
      build.onEnd((result) => {
        for (const file of result.outputFiles ?? []) {
          put(file.path, file.contents, written);
        }
        noteInputs(result.metafile, target.outfile);
        if (result.metafile && target.outfile.startsWith('dist/')) {
          put(
            join(root, 'dist/meta', `${target.name}.json`),
            Buffer.from(JSON.stringify(result.metafile, null, '\t')),
            written,
          );
        }
      });
    },
  };
}

/** @param {string} path @param {Uint8Array} contents @param {Set<string>} written */
function put(path, contents, written) {
  written.add(path);
  if (existsSync(path) && readFileSync(path).equals(contents)) {
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.partial`;
  writeFileSync(partial, contents);
  renameSync(partial, path);
}

/** Folders of the packages whose code is in the bundles. @type {Set<string>} */
const bundledPackages = new Set(['node_modules/@vscode/codicons']);

/** @param {esbuild.Metafile | undefined} metafile @param {string} outfile where its code goes */
function noteInputs(metafile, outfile) {
  if (!outfile.startsWith('dist/')) return;
  for (const input of Object.keys(metafile?.inputs ?? {})) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder) bundledPackages.add(folder);
  }
}

/** What the licences of the bundled packages ask for: their text goes with their code. */
function thirdPartyNotices() {
  const parts = [...bundledPackages].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const files = readdirSync(join(root, folder))
      .filter((file) => /^(licen[cs]e|notice)/i.test(file))
      .toSorted();
    const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return `${name} ${version} (${license ?? 'see below'})\n\n${texts.join('\n\n') || 'The package carries no text of its licence.'}\n`;
  });
  // Their owners' marks, as that registry shows them.
  parts.push(
    `Icons of agents, from github.com/agentclientprotocol/registry (Apache-2.0)\n\n${readFileSync(join(root, 'media/agents/LICENSE'), 'utf8').trim()}\n`,
  );
  return `Parley contains code of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Removes what an earlier build left in dist, so that it is never packaged. @param {Set<string>} written */
function removeStale(written) {
  const dist = join(root, 'dist');
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(path) && !path.endsWith('.partial')) {
      rmSync(path, { force: true });
    }
  }
}

/** @param {{ dev: boolean, watch: boolean, tests: boolean }} flags */
async function main(flags) {
  /** @type {Set<string>} */
  const written = new Set();
  for (const name of ['codicon.css', 'codicon.ttf']) {
    put(join(root, 'dist', name), readFileSync(join(root, 'node_modules/@vscode/codicons/dist', name)), written);
  }
  const present = targets(flags).filter((target) => {
    const found = existsSync(join(root, target.entry));
    if (!found) {
      console.warn(`[build] ${target.entry} does not exist yet; ${target.outfile} is not built.`);
    }
    return found;
  });
  const contexts = await Promise.all(
    present.map((target) =>
      esbuild.context({
        ...buildOptions(target, flags),
        plugins: [...(target.options.plugins ?? []), writeOutput(target, written)],
      }),
    ),
  );
  if (flags.watch) {
    await Promise.all(contexts.map((context) => context.watch()));
    console.log('[build] watching; press Ctrl+C to stop.');
    return;
  }
  const results = await Promise.allSettled(contexts.map((context) => context.rebuild()));
  await Promise.all(contexts.map((context) => context.dispose()));
  // esbuild has printed the errors themselves; here they only decide the exit code.
  if (results.some((result) => result.status === 'rejected')) {
    process.exitCode = 1;
    return;
  }
  put(join(root, 'dist/third-party-notices.txt'), Buffer.from(thirdPartyNotices()), written);
  put(join(root, 'dist/meta/packages.json'), Buffer.from(JSON.stringify([...bundledPackages].toSorted())), written);
  removeStale(written);
  for (const target of present) {
    console.log(`[build] ${target.outfile} ${(readFileSync(join(root, target.outfile)).length / 1024).toFixed(0)} KB`);
  }
}

// The webview's harness builds some of the targets itself.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const watch = args.includes('--watch');
  await main({ dev: watch || args.includes('--dev'), watch, tests: args.includes('--tests') });
}
