import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ElicitationParams } from '../../src/acp/decodeElicitation';
import type { PermissionParams } from '../../src/acp/decodeRequest';
import type { ClientHandlers } from '../../src/acp/handlers';
import { assertAgentWire } from '../fakes/clientSchema';
import { type Link, type LinkOptions, startLink, temporaryFolder, text } from './harness';
import { waitUntil } from './waitUntil';

const root = resolve(import.meta.dirname, '../..');
const recorder = join(root, 'test/fakes/recorder.mjs');
const demoFile = join(root, 'out/test/demoAgent.cjs');

beforeAll(async () => {
  await esbuild.build({
    entryPoints: [join(root, 'src/demo/demoAgent.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: demoFile,
    logLevel: 'error',
  });
});

interface Demo {
  readonly link: Link;
  readonly sessionId: string;
  readonly folder: string;
  readonly asked: PermissionParams[];
  play(prompt: string): Promise<string>;
}

/** The demo on a folder with one code file; `choose` answers its questions by the name of an option. */
async function startDemo({
  choose = 'Allow once',
  features,
  handlers,
  speed = '0',
}: {
  choose?: string | (() => Promise<never>);
  features?: LinkOptions['features'];
  handlers?: Partial<ClientHandlers>;
  speed?: string;
} = {}): Promise<Demo> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/words.ts'), 'export const words = [];\n');
  writeFileSync(join(folder, 'README.md'), '# Words\n');
  const asked: PermissionParams[] = [];
  const wireLog = join(folder, '.wire.ndjson');
  const link = startLink({
    command: {
      command: process.execPath,
      args: [recorder, wireLog, process.execPath, demoFile],
      env: { PARLEY_DEMO_SPEED: speed },
    },
    wireLog,
    ...(features ? { features } : {}),
    handlers: {
      readTextFile: async ({ path }) => ({ content: readFileSync(path, 'utf8') }),
      writeTextFile: async ({ path, content }) => writeFileSync(path, content),
      createTerminal: async () => ({ terminalId: 't1' }),
      waitForTerminalExit: async () => ({ exitCode: 0 }),
      terminalOutput: async () => ({ output: 'Testing\n12 passed (sample tests)\n', truncated: false }),
      killTerminal: async () => {},
      releaseTerminal: async () => {},
      requestPermission: async (params) => {
        asked.push(params);
        if (typeof choose !== 'string') return choose();
        const option = params.options.find(({ name }) => name === choose) ?? params.options[0]!;
        return { outcome: { outcome: 'selected', optionId: option.optionId } };
      },
      createElicitation: async () => ({ action: 'decline' }),
      ...handlers,
    },
  });
  onTestFinished(() => assertAgentWire(wireLog));
  await link.connection.initialize();
  const { sessionId } = await link.connection.newSession({ cwd: folder, mcpServers: [] });
  return {
    link,
    sessionId,
    folder,
    asked,
    async play(prompt) {
      const { stopReason } = await link.connection.prompt(sessionId, text(prompt));
      return stopReason;
    },
  };
}

describe('the demo agent', () => {
  test('offers a command for everything it can show, with descriptions', async () => {
    const { link } = await startDemo();
    await waitUntil('the commands arrive', () => link.updates.some(({ update }) => update.type === 'commands'));
    const commands = link.updates.flatMap(({ update }) => (update.type === 'commands' ? update.commands : []));
    expect(commands.map(({ name }) => name)).toEqual(['tour', 'edit', 'run', 'read', 'plan', 'markdown', 'ask']);
    expect(commands.every(({ description }) => description.length > 10)).toBe(true);
  });

  test.each(['hello there', '/nonsense', ''])('answers %j with what there is to try', async (prompt) => {
    const { play, link } = await startDemo();
    expect(await play(prompt)).toBe('end_turn');
    expect(link.text()).toMatch(/\/tour.*\/edit.*\/run/s);
  });

  test.each(['/tour', '/edit', '/edit several', '/run', '/read', '/plan', '/markdown', '/ask'])(
    'plays %s to its end, true to the schema',
    async (command) => {
      const { play } = await startDemo();
      expect(await play(command)).toBe('end_turn');
    },
  );

  test('understands plain words too', async () => {
    const { play, link } = await startDemo();
    await play('Show me around, please');
    expect(link.text()).toContain('That was the tour');
  });

  test('reads through the client, so it sees text that is not saved', async () => {
    const { play, link } = await startDemo({
      handlers: { readTextFile: async () => ({ content: 'export const words = [];\nconst unsaved = 1;\n' }) },
    });
    await play('/read');
    expect(link.text()).toMatch(/`src\/words.ts` has \*\*3 lines\*\*.*unsaved text included/s);
  });

  test('reads the file that is attached to the prompt', async () => {
    const { link, sessionId, folder } = await startDemo();
    await link.connection.prompt(sessionId, [
      { type: 'text', text: '/read' },
      { type: 'resource_link', uri: `file://${folder}/README.md`, name: 'README.md' },
    ]);
    expect(link.text()).toContain('`README.md` has');
  });

  test('edits only after asking, with the diff in the question, and undoes itself the next time', async () => {
    const { play, folder, asked } = await startDemo();
    const file = join(folder, 'src/words.ts');
    await play('/edit');
    expect(asked[0]?.toolCall?.content).toMatchObject([
      { type: 'diff', path: file, oldText: 'export const words = [];\n' },
    ]);
    expect(asked[0]?.options.map(({ name }) => name)).toEqual(['Allow once', 'Always allow edits', 'Reject']);
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ .*\nexport const words = \[\];\n$/);
    await play('/edit');
    expect(readFileSync(file, 'utf8')).toBe('export const words = [];\n');
  });

  test('improves the sample workspace for real, in one file and in three', async () => {
    const { link, folder } = await startDemo();
    const sample = join(folder, 'sample');
    cpSync(join(root, 'test/fixtures/sample-workspace'), sample, { recursive: true });
    const { sessionId } = await link.connection.newSession({ cwd: sample, mcpServers: [] });
    await link.connection.prompt(sessionId, text('/edit'));
    await link.connection.prompt(sessionId, text('/edit several'));
    await esbuild.build({
      entryPoints: [join(sample, 'src/evaluate.ts')],
      bundle: true,
      format: 'esm',
      outfile: join(folder, 'evaluate.mjs'),
      logLevel: 'error',
    });
    const { evaluate } = (await import(join(folder, 'evaluate.mjs'))) as { evaluate(source: string): number };
    expect([evaluate('0xff + 1'), evaluate('17 % 5'), evaluate('1.5 * 2')]).toEqual([256, 2, 3]);
    await link.connection.prompt(sessionId, text('/edit'));
    await link.connection.prompt(sessionId, text('/edit several'));
    for (const file of ['tokenizer.ts', 'parser.ts', 'evaluate.ts']) {
      expect(readFileSync(join(sample, 'src', file), 'utf8')).toBe(
        readFileSync(join(root, 'test/fixtures/sample-workspace/src', file), 'utf8'),
      );
    }
  });

  test('leaves the file alone when the edit is rejected', async () => {
    const { play, folder } = await startDemo({ choose: 'Reject' });
    expect(await play('/edit')).toBe('end_turn');
    expect(readFileSync(join(folder, 'src/words.ts'), 'utf8')).toBe('export const words = [];\n');
  });

  test('"Always allow edits" switches the mode and asks no more', async () => {
    const { play, asked, link } = await startDemo({ choose: 'Always allow edits' });
    await play('/edit several');
    expect(asked).toHaveLength(1);
    expect(link.updates.flatMap(({ update }) => (update.type === 'mode' ? [update.modeId] : []))).toEqual(['auto']);
  });

  test('an edit keeps what was typed while the question was open, and the line endings', async () => {
    let typed = 'one\r\ntwo\r\n';
    const { play, folder } = await startDemo({
      handlers: {
        readTextFile: async () => ({ content: typed }),
        requestPermission: async (params) => (
          (typed = 'one\r\ntwo\r\nthree\r\n'),
          { outcome: { outcome: 'selected', optionId: params.options[0]!.optionId } }
        ),
      },
    });
    await play('/edit');
    expect(readFileSync(join(folder, 'src/words.ts'), 'utf8')).toMatch(/^\/\/ [^\r\n]*\r\none\r\ntwo\r\nthree\r\n$/);
  });

  test('in the planning mode it asks to leave it before it changes anything', async () => {
    const { play, asked, link, sessionId, folder } = await startDemo({ choose: 'No, keep planning' });
    await link.connection.setMode(sessionId, 'plan');
    await play('/edit');
    expect(asked.map(({ toolCall }) => toolCall?.kind)).toEqual(['switch_mode']);
    expect(readFileSync(join(folder, 'src/words.ts'), 'utf8')).toBe('export const words = [];\n');
  });

  test('confirms a mode that was set', async () => {
    const { link, sessionId } = await startDemo();
    await link.connection.setMode(sessionId, 'bypass');
    await waitUntil('the mode is confirmed', () =>
      link.updates.some(({ update }) => update.type === 'mode' && update.modeId === 'bypass'),
    );
    await expect(link.connection.setMode(sessionId, 'root')).rejects.toMatchObject({ code: -32602 });
  });

  test('offers options that depend on each other, and does as they say', async () => {
    const { link, sessionId, play } = await startDemo();
    const ids = async (id: string, value: string | boolean) =>
      (await link.connection.setConfigOption(sessionId, id, value))?.map(
        (option) => `${option.id} ${option.currentValue}`,
      );
    expect(await ids('model', 'sprint')).toEqual(['mode ask', 'model sprint', 'think-aloud false']);
    expect(await ids('think-aloud', true)).toEqual(['mode ask', 'model sprint', 'think-aloud true', 'thoughts short']);
    expect(await ids('mode', 'auto')).toContain('mode auto');
    await expect(link.connection.setConfigOption(sessionId, 'model', 'oracle')).rejects.toMatchObject({ code: -32602 });
    await play('hello');
    expect(
      link.updates
        .flatMap(({ update }) =>
          update.type === 'chunk' && update.role === 'thought' && update.content.type === 'text'
            ? [update.content.text]
            : [],
        )
        .join(''),
    ).toContain('think aloud');
  });

  test('offers nothing that is on or off to a client that cannot show it', async () => {
    const { link, folder } = await startDemo({ features: { 'session.configOptions.boolean': false } });
    const { configOptions } = await link.connection.newSession({ cwd: folder, mcpServers: [] });
    expect(configOptions?.map(({ id }) => id)).toEqual(['mode', 'model']);
  });

  test('tells a mode that it changes by itself both ways', async () => {
    const { play, link, sessionId } = await startDemo({ choose: 'Yes, and accept edits' });
    await link.connection.setMode(sessionId, 'plan');
    await play('/edit');
    const told = link.updates.flatMap(({ update }) =>
      update.type === 'mode'
        ? [update.modeId]
        : update.type === 'configOptions'
          ? [`option ${update.options[0]?.currentValue}`]
          : [],
    );
    expect(told).toEqual(['plan', 'option plan', 'auto', 'option auto']);
  });

  test('bypass asks nothing', async () => {
    const { play, asked, link, sessionId } = await startDemo();
    await link.connection.setMode(sessionId, 'bypass');
    await play('/tour');
    expect(asked).toEqual([]);
  });

  test('asks with a form of every kind of field, and tells what reached it', async () => {
    const forms: ElicitationParams[] = [];
    const createElicitation = async (params: ElicitationParams) => (
      forms.push(params),
      { action: 'accept' as const, content: { size: 'large', guests: 3 } }
    );
    const { play, link } = await startDemo({ handlers: { createElicitation } });
    await play('/ask');
    const ask = forms[0]?.ask;
    expect(new Set(ask?.mode === 'form' ? ask.form.fields.map(({ type }) => type) : [])).toEqual(
      new Set(['select', 'string', 'multiSelect', 'integer', 'boolean']),
    );
    expect(link.text()).toMatch(/How big should it be\? \| `"large"`.*Guests \| `3`/s);
  });

  test('says so where the client shows no forms', async () => {
    const { play, link } = await startDemo({ features: { 'elicitation.form': false } });
    await play('/ask');
    expect(link.text()).toContain('does not support forms');
  });

  test('stops at once, also in the middle of a question', async () => {
    const { link, sessionId, asked } = await startDemo({ choose: () => new Promise(() => {}) });
    const turn = link.connection.prompt(sessionId, text('/edit'));
    await waitUntil('the question arrives', () => asked.length === 1);
    await link.connection.cancel(sessionId);
    expect((await turn).stopReason).toBe('cancelled');
  });

  test('stops a command at once and releases its terminal', async () => {
    const released: string[] = [];
    const { link, sessionId } = await startDemo({
      handlers: {
        waitForTerminalExit: () => new Promise(() => {}),
        releaseTerminal: async ({ terminalId }) => void released.push(terminalId),
      },
    });
    const run = link.connection.prompt(sessionId, text('/run'));
    await waitUntil('the terminal is shown', () =>
      link.updates.some(
        ({ update }) => update.type === 'toolCall' && update.fields.content?.some(({ type }) => type === 'terminal'),
      ),
    );
    await link.connection.cancel(sessionId);
    expect((await run).stopReason).toBe('cancelled');
    await waitUntil('the terminal is released', () => released.length === 1);
  });

  test('says so where the client lends it no files and no terminals', async () => {
    const { play, link } = await startDemo({
      features: { 'fs.readTextFile': false, 'fs.writeTextFile': false, terminal: false },
    });
    for (const command of ['/read', '/edit', '/run', '/tour']) expect(await play(command)).toBe('end_turn');
    expect(link.text()).toMatch(/read from disk.*so I changed nothing.*no terminals/s);
  });

  test('works in an empty folder', async () => {
    const { link, folder } = await startDemo();
    mkdirSync(join(folder, 'empty'));
    const { sessionId } = await link.connection.newSession({ cwd: join(folder, 'empty'), mcpServers: [] });
    for (const command of ['/read', '/tour', '/edit', '/markdown'])
      expect((await link.connection.prompt(sessionId, text(command))).stopReason).toBe('end_turn');
    expect(readFileSync(join(folder, 'empty/hello-parley.md'), 'utf8')).toContain('Hello');
  });

  test('keeps its sessions apart', async () => {
    const { link, sessionId, folder } = await startDemo({ choose: () => new Promise(() => {}) });
    const other = await link.connection.newSession({ cwd: folder, mcpServers: [] });
    const turns = [
      link.connection.prompt(sessionId, text('/edit')),
      link.connection.prompt(other.sessionId, text('/plan')),
    ];
    expect((await turns[1])?.stopReason).toBe('end_turn');
    await link.connection.cancel(sessionId);
    expect((await turns[0])?.stopReason).toBe('cancelled');
    expect(link.text(other.sessionId)).not.toContain('harmless change');
  });

  test('ends when its stdin ends', async () => {
    const { link } = await startDemo({ speed: '1' });
    link.process.stdin.end();
    expect(await link.exited).toMatchObject({ code: 0 });
  });
});
