/**
 * `npm run bench:tools`: ten tasks in a repository of 500 files, done with the editor's tools, as an agent gets them over MCP
 * from the real extension in a real VS Code, and with grep, a reader and a build. Prints calls, bytes that reach the
 * model, and milliseconds without the model's own. Then the cost of a call beside the floor, which asks VS Code without
 * Parley. Numbers, not a test. `--only NAME` does the tasks of which the name has this, `--answers` prints what the
 * editor's tools said, `--cold` begins before VS Code's TypeScript server runs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build as bundle } from 'esbuild';
import { launchChromium } from '../launch/chromium.mjs';
import { driverExtension } from '../launch/driver.mjs';
import { until } from '../launch/poll.mjs';
import { build, installDependencies, removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { fewExtensions, languageServer, startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { TextTools } from './textTools.mjs';
import { writeToolRepository } from './toolRepository.mjs';
import { lineNumbers, tasks } from './toolTasks.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    answers: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
  },
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
  if (!values.cold) await warm(workbench);
  const client = await connectAsAgent(workbench);
  if (values.cold) await timeColdCall(client);
  const listed = await client.listTools();
  await timeCalls(client);
  await doTasks(client);
  const overhead = Buffer.byteLength(JSON.stringify(listed.tools)) + Buffer.byteLength(client.getInstructions() ?? '');
  console.log(`\nOnce in a session: ${overhead} bytes describe ${listed.tools.length} tools.`);
  reportActivation();
  await timeOpening();
  await client.close();
} finally {
  await browser.close();
  await server.stop();
  removeFolder(state);
}

/** A project of 500 files in git, built once: what a developer has. */
function makeRepository() {
  writeToolRepository(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const answer = new TextTools(folder, () => undefined).build();
  if (answer !== '') throw new Error(`The repository has errors:\n${answer}`);
  lineNumbers.rows = lineOf('src/stock/order/handler.ts', 'const rows = service.largest');
  lineNumbers.largest = lineOf('src/stock/order/service.ts', 'largest(id: string');
  lineNumbers.total = lineOf('src/travel/ticket/service.ts', 'total(id: string)');
  lineNumbers.share = lineOf('src/billing/invoice/service.ts', 'shareOf(sum,');
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
  await workbench.openFile('money.ts');
  const from = performance.now();
  await until('TypeScript', async () => (await ask(formatMoneyPlace())).count > 10, { timeout: 180_000 });
  console.log(`VS Code's TypeScript server was ready after ${((performance.now() - from) / 1000).toFixed(1)} s.`);
}

/** The function `formatMoney`, where it is declared. */
function formatMoneyPlace() {
  const file = 'src/core/money.ts';
  return {
    command: 'vscode.executeReferenceProvider',
    file: join(folder, file),
    line: lineOf(file, 'export function formatMoney') - 1,
    column: 'export function f'.length,
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

/** The first call of a window in which no file is open, which must find as much as a later one. @param {Client} client */
async function timeColdCall(client) {
  const args = { symbol: 'formatMoney', path: 'src/core/money.ts' };
  const { text, ms } = await call(client, 'references', args);
  const later = await call(client, 'references', args);
  if (text !== later.text) throw new Error(`Cold:\n${text}\nLater:\n${later.text}`);
  console.log(`Before the TypeScript server runs, the first call takes ${(ms / 1000).toFixed(1)} s.`);
}

/**
 * The first call and later ones, beside the same questions to VS Code itself. Parley asks for the outline to find the name,
 * for the uses, and for the definition to leave it out. The first question about a file costs more, so the floor of the
 * first call is that of another file.
 * @param {Client} client
 */
async function timeCalls(client) {
  // VS Code's own first questions cost more than all others, whoever asks.
  await floorOf('src/travel/order/handler.ts', 'export function beginTravelOrder');
  const fresh = await floorOf('src/people/order/handler.ts', 'export function beginPeopleOrder');
  const file = 'src/school/order/handler.ts';
  const args = { symbol: 'beginSchoolOrder', path: file };
  const first = await call(client, 'references', args);
  const [later, floor] = [[], []].map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < 15; round++) {
    later?.push((await call(client, 'references', args)).ms);
    floor?.push(await floorOf(file, 'export function beginSchoolOrder'));
  }
  const [ours, least] = [median(later ?? []), median(floor ?? [])];
  console.log(
    `\nreferences: first call ${first.ms.toFixed(0)} ms, VS Code alone ${fresh.toFixed(0)} ms, so ` +
      `${(first.ms - fresh).toFixed(0)} ms beyond it; later ${ours.toFixed(1)} ms, VS Code alone ${least.toFixed(1)} ms ` +
      `(ratio ${(ours / least).toFixed(2)})\n`,
  );
}

/**
 * Milliseconds of VS Code for what one call of `references` needs.
 * @param {string} path @param {string} declaration up to the end of the name
 */
async function floorOf(path, declaration) {
  const place = { file: join(folder, path), line: lineOf(path, declaration) - 1, column: declaration.length - 1 };
  let sum = 0;
  for (const command of ['DocumentSymbol', 'Reference', 'Definition'])
    sum += (await ask({ command: `vscode.execute${command}Provider`, ...place })).ms;
  return sum;
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
  await until('the files of before', async () => (await ask(formatMoneyPlace())).count > 10, { timeout: 60_000 });
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

/** What a session's start has to do for the server: open its pipe. */
async function timeOpening() {
  const outfile = join(state, 'pipe.cjs');
  await bundle({
    entryPoints: [join(root, 'src/node/editorPipe.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const { EditorPipe } = createRequire(import.meta.url)(outfile);
  const times = [];
  for (let round = 0; round < 15; round++) {
    const from = performance.now();
    const pipe = await EditorPipe.open({}, { info: () => undefined, warn: () => undefined, error: () => undefined });
    times.push(performance.now() - from);
    pipe.dispose();
  }
  console.log(`A session opens its pipe in ${median(times).toFixed(1)} ms.`);
}
