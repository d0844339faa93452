/**
 * `npm run bench:tools`: ten tasks in Parley's own source, done with the editor's tools, as an agent gets them over MCP
 * from the real extension in a real VS Code, and with grep, a reader and a build. Prints calls, bytes that reach the
 * model, and milliseconds without the model's own. Then the cost of a call beside the floor, which asks VS Code without
 * Parley. Numbers, not a test. `--only NAME` does the tasks of which the name has this, `--answers` prints what the
 * editor's tools said.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { launchChromium } from '../launch/chromium.mjs';
import { driverExtension } from '../launch/driver.mjs';
import { until } from '../launch/poll.mjs';
import { build, installDependencies, removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { fewExtensions, languageServer, startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { TextTools } from './textTools.mjs';
import { lineNumbers, tasks } from './toolTasks.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, answers: { type: 'boolean', default: false } },
});

/** @typedef {{ calls: number, bytes: number, ms: number }} Cost */

await installDependencies();
await build();
const state = temporaryFolder('bench-tools');
const folder = join(state, 'repository');
const language = join(state, 'language');
const wire = join(state, 'wire.ndjson');
makeRepository();
const server = await startServer({
  install: [root, join(root, 'test/bench/language'), driverExtension],
  builtIn: [...fewExtensions, ...languageServer],
  env: { PARLEY_BENCH_LANGUAGE: language },
  settings: {
    'parley.agents': {
      Bench: {
        command: process.execPath,
        args: [join(root, 'test/fakes/fakeAgent.mjs')],
        env: { FAKE_AGENT_LOG: wire },
      },
    },
    'parley.defaultAgent': 'Bench',
  },
});
const browser = await launchChromium();
let asked = 0;
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const workbench = await Workbench.open(context, server, { folder });
  await warm(workbench);
  const client = await connectAsAgent(workbench);
  const listed = await client.listTools();
  await timeCalls(client);
  await doTasks(client);
  const overhead = Buffer.byteLength(JSON.stringify(listed.tools)) + Buffer.byteLength(client.getInstructions() ?? '');
  console.log(`\nOnce in a session: ${overhead} bytes describe ${listed.tools.length} tools.`);
  reportActivation();
  await client.close();
} finally {
  await browser.close();
  await server.stop();
  removeFolder(state);
}

/** Parley's source as a project of its own, in git, built once: what a developer has. */
function makeRepository() {
  for (const name of ['src', 'webview', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const settings = readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(/,\s*\{ "path": "\.\/test" \}/, '');
  writeFileSync(join(folder, 'tsconfig.json'), settings);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\nout\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const answer = new TextTools(folder, () => undefined).build();
  if (answer !== '') throw new Error(`The copy has errors:\n${answer}`);
  lineNumbers.outline = lineOf(
    'src/host/editor/languageTools.ts',
    'const outline = await outlineOf(document, session, token);',
  );
  lineNumbers.outlineOf = lineOf('src/host/editor/namedPlace.ts', 'export async function outlineOf');
  lineNumbers.writeTextFile = lineOf('src/host/files/workspaceFiles.ts', 'async writeTextFile(');
}

/** @param {string} path @param {string} text @returns {number} from 1 */
function lineOf(path, text) {
  const at = readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text));
  if (at < 0) throw new Error(`${path} has no “${text}”`);
  return at + 1;
}

/** @param {readonly string[]} args @returns {string} */
function git(...args) {
  return execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

/** VS Code's TypeScript server has read the project, because the user has a file open. @param {Workbench} workbench */
async function warm(workbench) {
  await workbench.openFile('toolSession.ts');
  const from = performance.now();
  await until('TypeScript', async () => (await ask(sessionFilePlace())).count > 10, { timeout: 180_000 });
  console.log(`VS Code's TypeScript server was ready after ${((performance.now() - from) / 1000).toFixed(1)} s.`);
}

/** The function `sessionFile`, where it is declared. */
function sessionFilePlace() {
  const file = 'src/host/editor/toolSession.ts';
  const line = lineOf(file, 'export async function sessionFile') - 1;
  return {
    command: 'vscode.executeReferenceProvider',
    file: join(folder, file),
    line,
    column: 'export async function s'.length,
  };
}

/** @param {object} question @returns {Promise<{ id: number, ms: number, count: number }>} */
async function ask(question) {
  const id = ++asked;
  writeFileSync(`${language}.asking`, JSON.stringify({ id, ...question }));
  renameSync(`${language}.asking`, `${language}.ask`);
  return until(
    'an answer of VS Code',
    () => {
      const answer = existsSync(`${language}.answer`)
        ? JSON.parse(readFileSync(`${language}.answer`, 'utf8'))
        : undefined;
      return answer?.id === id ? answer : undefined;
    },
    { timeout: 120_000 },
  );
}

/** Starts the program that Parley names to the agent, as the agent would. @param {Workbench} workbench */
async function connectAsAgent(workbench) {
  const chat = await workbench.openChat();
  await chat.getByRole('textbox', { name: 'Message' }).fill('hello');
  await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
  const { command, args, env } = await until('a session with the server', () => serverInWire(), { timeout: 60_000 });
  const from = performance.now();
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    }),
  );
  console.log(`The server's program was ready after ${(performance.now() - from).toFixed(0)} ms.`);
  return client;
}

/** @returns {{ command: string, args: string[], env: { name: string, value: string }[] } | undefined} */
function serverInWire() {
  const lines = existsSync(wire) ? readFileSync(wire, 'utf8').split('\n').slice(0, -1) : [];
  const sent = lines.flatMap((line) => {
    const { dir, line: message } = JSON.parse(line);
    return dir === '>' && message?.includes('"session/new"') ? [JSON.parse(message)] : [];
  });
  return sent[0]?.params.mcpServers.find((/** @type {{ name: string }} */ { name }) => name === 'vscode');
}

/**
 * @param {Client} client @param {string} name @param {object} args
 * @returns {Promise<{ text: string, ms: number }>}
 */
async function call(client, name, args) {
  const from = performance.now();
  const { content, isError } = await client.callTool({
    name,
    arguments: /** @type {Record<string, unknown>} */ (args),
  });
  const ms = performance.now() - from;
  const text = /** @type {{ text: string }} */ (content[0]).text;
  if (isError) throw new Error(`${name}: ${text}`);
  return { text, ms };
}

/** The first call and later ones, beside the same question to VS Code itself. @param {Client} client */
async function timeCalls(client) {
  const args = { symbol: 'sessionFile', path: 'src/host/editor/toolSession.ts' };
  const first = await call(client, 'references', args);
  const place = sessionFilePlace();
  const [later, floor] = [[], []].map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < 15; round++) {
    later?.push((await call(client, 'references', args)).ms);
    floor?.push((await ask(place)).ms);
  }
  const [ours, least] = [median(later ?? []), median(floor ?? [])];
  console.log(
    `\nreferences: first call ${first.ms.toFixed(0)} ms, later ${ours.toFixed(1)} ms; VS Code alone ${least.toFixed(1)} ms` +
      ` (ratio ${(ours / least).toFixed(1)}; first call beyond it ${(first.ms - least).toFixed(0)} ms)\n`,
  );
}

/** @param {readonly number[]} all */
function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}

/** @param {Client} client */
async function doTasks(client) {
  console.log(
    `${''.padEnd(50)}calls        bytes              ms\n${'Task'.padEnd(48)}tools text  tools   text  ratio  tools   text`,
  );
  let reached = 0;
  const chosen = tasks.filter(({ name }) => name.includes(values.only));
  const ours = newCost();
  const theirs = newCost();
  for (const task of chosen) {
    if (task.before) {
      const [path, from, to] = task.before;
      const whole = readFileSync(join(folder, path), 'utf8');
      if (!whole.includes(from)) throw new Error(`${path} has no “${from}”`);
      writeFileSync(join(folder, path), whole.replace(from, to));
    }
    const tools = newCost();
    let said = '';
    await task.editor(async (name, args) => {
      const { text, ms } = await call(client, name, args);
      count(tools, text, ms);
      said += `${text}\n`;
      return text;
    });
    if (values.answers) console.log(said);
    for (const expected of task.expects ?? [])
      if (!expected.test(said)) throw new Error(`${task.name}: ${expected} is missing in\n${said}`);
    const patch = git('diff', '--unified=0');
    await checked(task);
    const text = newCost();
    task.text(new TextTools(folder, (answer, ms) => count(text, answer, ms)), patch);
    await checked(task);
    if (task.before) await putBack();
    row(task.name, tools, text);
    if (tools.bytes * 3 <= text.bytes && tools.calls * 2 <= text.calls) reached++;
    for (const [sum, part] of /** @type {const} */ ([
      [ours, tools],
      [theirs, text],
    ])) {
      sum.calls += part.calls;
      sum.bytes += part.bytes;
      sum.ms += part.ms;
    }
  }
  row('all', ours, theirs);
  console.log(`\nA third of the bytes and half of the calls: ${reached} of ${chosen.length} tasks.`);
}

/** @param {string} name @param {Cost} tools @param {Cost} text */
function row(name, tools, text) {
  const ratio = (tools.bytes / text.bytes).toFixed(2);
  console.log(
    name.padEnd(48) +
      [
        [tools.calls, 5],
        [text.calls, 5],
        [tools.bytes, 7],
        [text.bytes, 7],
        [ratio, 7],
        [tools.ms.toFixed(0), 7],
        [text.ms.toFixed(0), 7],
      ]
        .map(([value, width]) => String(value).padStart(Number(width)))
        .join(''),
  );
}

/** A rename leaves a project without errors; then it is put back. @param {import('./toolTasks.mjs').Task} task */
async function checked({ name, changes }) {
  if (changes !== true) return;
  const errors = new TextTools(folder, () => undefined).build();
  if (errors !== '') throw new Error(`${name} left errors:\n${errors.slice(0, 3_000)}`);
  await putBack();
}

/** Puts the files back, builds them, and waits until VS Code's TypeScript server has seen it. */
async function putBack() {
  git('checkout', '--quiet', '.');
  new TextTools(folder, () => undefined).build();
  await until('the files of before', async () => (await ask(sessionFilePlace())).count > 10, { timeout: 60_000 });
}

/** @returns {Cost} */
function newCost() {
  return { calls: 0, bytes: 0, ms: 0 };
}

/** @param {Cost} cost @param {string} answer @param {number} ms */
function count(cost, answer, ms) {
  cost.calls++;
  cost.bytes += Buffer.byteLength(answer);
  cost.ms += ms;
}

/** Code of the tools in the files that activation loads. */
function reportActivation() {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist/meta/extension.json'), 'utf8'));
  const loaded = new Set(['dist/extension.mjs']);
  for (const file of loaded)
    for (const { path, kind } of outputs[file].imports)
      if (kind === 'import-statement' && path in outputs) loaded.add(path);
  /** @param {string} file */
  const ofTools = (file) =>
    Object.entries(outputs[file].inputs)
      .filter(([input]) => /^src\/(?:host\/)?editor\/|^src\/node\/editor/.test(input))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  const bytes = [...loaded].reduce((sum, file) => sum + ofTools(file), 0);
  console.log(`Activation loads ${bytes} bytes of the tools' code.`);
}
