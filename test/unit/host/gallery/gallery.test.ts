import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { AgentPrograms } from '../../../../src/host/agents/agentPrograms';
import { decodeAgent } from '../../../../src/host/agents/agentSettings';
import { AgentSecrets } from '../../../../src/host/agents/agentSecrets';
import { AgentForms } from '../../../../src/host/gallery/agentForms';
import { Gallery } from '../../../../src/host/gallery/gallery';
import { RegistrySource } from '../../../../src/host/gallery/registrySource';
import { processTag } from '../../../../src/node/processTag';
import { memorySecrets } from '../../../fakes/memorySecrets';
import { tarGzOf } from '../../../fakes/archives';
import { type Answer, startFileServer } from '../../../fakes/fileServer';
import { runtimeOptions } from '../../../fakes/runtimePins';

const told = vi.hoisted(() => ({
  agents: undefined as Record<string, unknown> | undefined,
  pick: '',
  answer: '',
  shown: [] as string[],
  details: [] as string[],
  meanwhile: undefined as undefined | (() => Promise<void>),
}));
vi.mock('vscode', () => ({
  env: { language: 'en' },
  window: {
    showInformationMessage: (words: string) => (told.shown.push(words), Promise.resolve(undefined)),
    showWarningMessage: async (
      words: string,
      options?: { readonly modal?: boolean; readonly detail?: string },
      ...actions: string[]
    ) => {
      told.shown.push(words);
      if (options?.modal) told.details.push(options.detail ?? '');
      await told.meanwhile?.();
      return actions.find((action) => action === told.answer);
    },
    showQuickPick: (items: readonly { readonly label: string }[]) => (
      told.shown.push(items.map(({ label }) => label).join(' | ')),
      Promise.resolve(items.find(({ label }) => label.includes(told.pick)))
    ),
  },
  workspace: {
    getConfiguration: () => ({
      inspect: () => ({ globalValue: told.agents }),
      update: (_: string, value: Record<string, unknown> | undefined) => void (told.agents = value),
    }),
  },
  ConfigurationTarget: { Global: 1 },
}));
beforeEach(() =>
  Object.assign(told, { agents: undefined, pick: '', answer: '', shown: [], details: [], meanwhile: undefined }),
);

const icon = '<svg xmlns="http://www.w3.org/2000/svg"><path fill="currentColor" d="M0 0h16v16z"/></svg>';

/** A gallery whose index and archives are on loopback. `publish` is the version that the index has from then on. */
async function desk(
  fields: {
    readonly isTrusted?: boolean;
    readonly index?: Answer;
    readonly archive?: Answer;
    readonly stored?: string;
    readonly files?: Readonly<Record<string, Answer>>;
  } = {},
) {
  const archive = (version: string) => tarGzOf([{ name: 'acorn', text: `#!/bin/sh\necho ${version}\n`, mode: 0o755 }]);
  let version = '1.0.0';
  let args = ['acp'];
  const server = await startFileServer({
    'index.json':
      fields.index ??
      ((_, response) =>
        response.end(
          JSON.stringify({
            agents: [
              {
                id: 'acorn',
                name: 'Acorn',
                version,
                description: 'A small agent',
                icon: 'acorn.svg',
                distribution: {
                  binary: Object.fromEntries(
                    ['linux-x86_64', 'linux-aarch64', 'darwin-aarch64', 'darwin-x86_64'].map((target) => [
                      target,
                      {
                        archive: `acorn-${version}.tar.gz`,
                        cmd: './acorn',
                        args,
                        sha256: createHash('sha256').update(archive(version)).digest('hex'),
                      },
                    ]),
                  ),
                },
              },
              { id: 'BAD' },
              {
                id: 'evil',
                name: 'Evil',
                version: '1.0.0',
                icon: 'evil.svg',
                distribution: { npx: { package: 'evil@1.0.0' } },
              },
            ],
          }),
        )),
    ...fields.files,
    'acorn.svg': icon,
    'evil.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    ...Object.fromEntries(
      ['1.0.0', '1.1.0', '1.2.0'].map((item) => [`acorn-${item}.tar.gz`, fields.archive ?? archive(item)]),
    ),
  });
  const base = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-gallery-'));
  onTestFinished(async () => {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  });
  const cacheFile = path.join(base, 'registry/index.json');
  if (fields.stored !== undefined) {
    mkdirSync(path.dirname(cacheFile));
    writeFileSync(cacheFile, fields.stored);
  }
  const agents = () =>
    Object.entries(told.agents ?? {}).flatMap(([name, entry]) => {
      const decoded = decodeAgent(name, entry);
      return typeof decoded === 'string' ? [] : [decoded];
    });
  const memory = new Map<string, unknown>();
  const state = {
    keys: () => [...memory.keys()],
    get: (key: string, otherwise?: unknown) => memory.get(key) ?? otherwise,
    update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
  };
  const root = path.join(base, 'agents');
  const runtime = runtimeOptions();
  const programs = new AgentPrograms({
    installation: { root, tree: { mark: processTag }, runtime, log: silentLogger },
    agents,
    folders: () => [],
    state: state as never,
  });
  const used: string[] = [];
  const running = new Set<string>();
  const sessionsChanged = new Emitter<void>();
  const shown = { agent: '' };
  const sessions = {
    onDidChange: sessionsChanged.event as never,
    current: () => shown.agent,
    stateOf: () => ({ wantsSignIn: false }),
    use: async (name: string) => void used.push(`use ${name}`),
    signIn: async (name: string) => void used.push(`sign in ${name}`),
    isRunning: (name: string) => running.has(name),
    stop: async (name: string) => void used.push(`stop ${name}`),
  };
  const registry = new RegistrySource({
    address: () => `${server.url}index.json`,
    file: cacheFile,
    now: () => Date.UTC(2026, 10, 22),
    log: silentLogger,
  });
  const gallery = new Gallery({
    origins: { agents, catalogue: [], builtInIcons: () => Promise.resolve({ Codex: 'PHN2Zy8+' }), registry },
    programs: () => Promise.resolve(programs),
    sessions,
    state: state as never,
    isTrusted: () => fields.isTrusted ?? true,
    forms: (changed) =>
      new AgentForms({
        agents,
        secrets: new AgentSecrets(memorySecrets()),
        expand: (entry) => entry,
        test: () => Promise.resolve({ state: 'done', lines: [] }),
        changed,
      }),
    log: silentLogger,
  });
  onTestFinished(() => gallery.dispose());
  const row = (key = 'listed:acorn') => gallery.view!.agents.find((agent) => agent.key === key)!;
  const install = async (act: 'install' | 'update' = 'install') => {
    told.answer = act === 'install' ? 'Install' : 'Update';
    await gallery.act('listed:acorn', act);
    told.answer = '';
  };
  const choose = async (words: string, answer = '') => {
    Object.assign(told, { pick: words, answer });
    await gallery.act('listed:acorn', 'menu');
  };
  return {
    sessionsChanged,
    shown,
    running,
    server,
    gallery,
    row,
    install,
    choose,
    used,
    root,
    runtime,
    cacheFile,
    programs,
    agents,
    publish: (next: string, words = ['acp']) => ((version = next), (args = words)),
  };
}

test('what agents say while the gallery is open changes nothing in it', async () => {
  const { gallery, sessionsChanged, shown } = await desk();
  await gallery.open();
  sessionsChanged.fire();
  const [{ view }, told] = [gallery, [] as unknown[]];
  gallery.onDidChange(() => told.push(gallery.view));
  for (let i = 0; i < 100; i++) sessionsChanged.fire();
  expect([told.length, gallery.view]).toEqual([0, view]);
  shown.agent = 'acorn';
  sessionsChanged.fire();
  expect(told.length).toBe(1);
});

test('the index is asked for when the gallery opens, and not before', async () => {
  const { server, gallery, row } = await desk();
  expect(server.asked).toEqual([]);
  await gallery.open();
  expect(server.asked.map(({ path: name }) => name)).toEqual(['index.json', 'acorn.svg', 'evil.svg']);
  expect(gallery.view!.agents.map(({ key }) => key)).toEqual(['listed:acorn', 'listed:evil']);
  expect(row()).toMatchObject({
    name: 'Acorn',
    about: 'A small agent',
    state: 'notInstalled',
    offered: '1.0.0',
    needs: 'download',
    button: 'install',
    hasMenu: false,
  });
  // Only what draws is passed on.
  expect(gallery.icons).toEqual({ 'listed:acorn': Buffer.from(icon).toString('base64') });
  gallery.close();
  expect(gallery.view).toBeUndefined();
});

test('icons are asked of the server of the index alone, also behind a redirect', async () => {
  const other = await startFileServer({ 'a.svg': icon, 'b.svg': icon });
  onTestFinished(() => other.close());
  const entry = (id: string, address: string) => ({
    id,
    name: id,
    version: '1.0.0',
    icon: address,
    distribution: { npx: { package: `${id}@1.0.0` } },
  });
  const { server, gallery } = await desk({
    index: (_, response) =>
      response.end(
        JSON.stringify({
          agents: [
            entry('a', `${other.url}a.svg`),
            entry('b', 'moved.svg'),
            entry('acorn', 'acorn.svg'),
            ...Array.from({ length: 300 }, (_item, at) => entry(`z${at}`, `z${at}.svg`)),
          ],
        }),
      ),
    files: { 'moved.svg': (_, response) => response.writeHead(302, { location: `${other.url}b.svg` }).end() },
  });
  await gallery.open();
  expect(other.asked).toEqual([]);
  expect(Object.keys(gallery.icons)).toEqual(['listed:acorn']);
  expect(server.asked.filter(({ path: name }) => name.endsWith('.svg')).length).toBeLessThanOrEqual(128);
});

test('an agent is installed after the user agreed to what was shown, and its entry says what runs', async () => {
  const { server, gallery, row, used, root, programs, agents } = await desk();
  await gallery.open();
  const from = `${server.url}acorn-1.0.0.tar.gz`;
  // The user does not agree.
  await gallery.act('listed:acorn', 'install');
  expect(told.shown).toEqual(['Install Acorn 1.0.0?']);
  const sha256 = /[0-9a-f]{64}/.exec(told.details[0]!)![0];
  expect(told.details).toEqual([
    `From: ${new URL(from).host}\n${from}\n\nRuns: acorn acp\n\nThe download must match this SHA-256.\n${sha256}\n\nAn agent can do anything that you can: read and change files, and run commands.`,
  ]);
  await gallery.act('listed:acorn', 'retry');
  expect([
    existsSync(path.join(root, 'archive+acorn')),
    told.agents,
    server.asked.some(({ path: name }) => name.endsWith('.gz')),
  ]).toEqual([false, undefined, false]);

  told.answer = 'Install';
  await gallery.act('listed:acorn', 'install');
  expect(told.agents).toEqual({
    Acorn: { registry: 'acorn', archive: from, version: '1.0.0', program: 'acorn', sha256, args: ['acp'] },
  });
  expect(row()).toMatchObject({ state: 'ready', version: '1.0.0', button: 'use', hasMenu: true });
  const [configuration] = agents();
  const prepared = await programs.prepare(
    configuration!,
    root,
    { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
    () => undefined,
  );
  expect(prepared).toMatchObject({
    configuration: { command: path.join(root, 'archive+acorn/1.0.0/files/acorn'), args: ['acp'] },
  });
  await gallery.act('listed:acorn', 'use');
  expect([used, gallery.view]).toEqual([['use Acorn'], undefined]);
});

test('what is installed is what the question showed, whatever the index says by then', async () => {
  const { gallery, publish } = await desk();
  await gallery.open();
  told.answer = 'Install';
  told.meanwhile = async () => {
    told.meanwhile = undefined;
    publish('1.1.0', ['acp', '--evil']);
    await gallery.open();
  };
  await gallery.act('listed:acorn', 'install');
  expect(told.agents).toMatchObject({ Acorn: { version: '1.0.0', args: ['acp'] } });
});

test('what is too long to be read in full cannot be agreed to', async () => {
  const { gallery, publish } = await desk();
  publish(
    '1.0.0',
    Array.from({ length: 60 }, (_, at) => `--option-${at}=${'x'.repeat(60)}`),
  );
  await gallery.open();
  told.answer = 'Install';
  await gallery.act('listed:acorn', 'install');
  expect([told.shown, told.agents]).toEqual([
    [
      '“Install” is not possible, because the command is too long to show in full. You can enter it in the parley.agents setting.',
    ],
    undefined,
  ]);
});

test('a second click while the question is open asks nothing more, and what only the menu has cannot be asked for by the panel', async () => {
  const { gallery, install, row } = await desk();
  await gallery.open();
  let inner: Promise<void> | undefined;
  told.meanwhile = async () => void (inner ??= gallery.act('listed:acorn', 'install'));
  await gallery.act('listed:acorn', 'install');
  await inner;
  expect(told.shown).toEqual(['Install Acorn 1.0.0?']);
  told.meanwhile = undefined;
  await install();
  for (const act of ['remove', 'goBack', 'pin', 'edit', 'duplicate'] as const) await gallery.act('listed:acorn', act);
  expect([row().state, row().isPinned, gallery.view!.form, told.shown.length]).toEqual(['ready', false, undefined, 2]);
});

test('an update waits for the user; going back is to the version that worked, with its own entry', async () => {
  const { gallery, row, install, choose, publish, programs, agents, root, running } = await desk();
  await gallery.open();
  await install();
  await programs.worked(agents()[0]!);
  publish('1.1.0', ['serve']);
  await gallery.open();
  expect(row()).toMatchObject({ state: 'update', version: '1.0.0', offered: '1.1.0', button: 'use' });
  expect(told.agents).toMatchObject({ Acorn: { version: '1.0.0' } });
  running.add('Acorn');
  await install('update');
  expect(told.shown).toEqual([
    'Install Acorn 1.0.0?',
    'Update Acorn to 1.1.0?',
    'Acorn 1.1.0 is installed. Parley uses it the next time the agent starts.',
  ]);
  running.clear();
  expect(told.agents).toMatchObject({ Acorn: { version: '1.1.0', args: ['serve'] } });
  // The new version never answered.
  publish('1.2.0');
  await gallery.open();
  await install('update');
  expect(row()).toMatchObject({ version: '1.2.0', state: 'ready' });
  await choose('Go Back to 1.0.0');
  expect(told.agents).toMatchObject({ Acorn: { version: '1.0.0', args: ['acp'] } });
  // Who went back wants no offer of the same update.
  expect(row()).toMatchObject({ version: '1.0.0', state: 'ready', isPinned: true });
  expect(readFileSync(path.join(root, 'archive+acorn/1.0.0/files/acorn'), 'utf8')).toMatch(/1\.0\.0/);
  await choose('Offer Updates Again');
  expect(row()).toMatchObject({ state: 'update', offered: '1.2.0' });
  await choose('Stay on 1.0.0');
  expect(row()).toMatchObject({ state: 'ready', isPinned: true });
});

test('an agent is removed with its files and its entry, after a question', async () => {
  const { gallery, row, install, choose, used, root } = await desk();
  await gallery.open();
  await install();
  await choose('Remove', 'Cancel');
  expect(row().version).toBe('1.0.0');
  await choose('Remove', 'Remove');
  expect([told.agents, existsSync(path.join(root, 'archive+acorn')), used]).toEqual([undefined, false, ['stop Acorn']]);
  expect(row()).toMatchObject({ state: 'notInstalled', button: 'install' });
});

test('Parley’s own Node.js goes with the last agent that could need it', async () => {
  const { gallery, install, choose, root, runtime, agents } = await desk();
  const npm = path.join(root, 'npm+agent');
  const node = path.join(runtime.root, 'node');
  for (const folder of [node, path.join(npm, '1.0.0')]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(npm, '1.0.0/package.json'), '{}');
  told.agents = { Other: { npm: 'agent@1.0.0' } };
  await gallery.open();
  for (const isLeft of [true, false]) {
    await install();
    expect(agents()).toHaveLength(2);
    await choose('Remove', 'Remove');
    expect(existsSync(node)).toBe(isLeft);
    rmSync(npm, { recursive: true, force: true });
  }
});

test('what fails is a sentence in its row, and can be tried again without asking anew', async () => {
  let isDown = true;
  const archive = tarGzOf([{ name: 'acorn', text: '#!/bin/sh\necho 1.0.0\n', mode: 0o755 }]);
  const { gallery, row, install, root } = await desk({
    archive: (_, response) => (isDown ? response.writeHead(503).end() : response.end(archive)),
  });
  await gallery.open();
  await install();
  expect(row()).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(/^127\.0\.0\.1:\d+ has a problem \(HTTP 503\)\. Try again later\.$/),
    button: 'retry',
  });
  expect(told.agents).toBeUndefined();
  isDown = false;
  await gallery.act('listed:acorn', 'retry');
  expect(row()).toMatchObject({ state: 'ready' });
  expect(existsSync(path.join(root, 'archive+acorn/1.0.0'))).toBe(true);
});

test('a download is cancelled in the middle', async () => {
  const { gallery, row } = await desk({
    archive: (_, response) => void response.writeHead(200, { 'content-length': 100_000 }).write('x'.repeat(1_000)),
  });
  await gallery.open();
  told.answer = 'Install';
  const done = gallery.act('listed:acorn', 'install');
  await expect.poll(() => row().part).toBe(0.01);
  expect(row()).toMatchObject({
    state: 'installing',
    button: 'cancel',
    progress: expect.stringMatching(/^Downloading: /),
  });
  await gallery.act('listed:acorn', 'cancel');
  await done;
  expect(row()).toMatchObject({ state: 'notInstalled', button: 'install' });
  expect(row()).not.toHaveProperty('problem');
});

test('in Restricted Mode agents are listed and nothing is installed', async () => {
  const { gallery, row } = await desk({ isTrusted: false });
  await gallery.open();
  expect(gallery.view!.isRestricted).toBe(true);
  expect(row().button).toBeUndefined();
  await gallery.act('listed:acorn', 'install');
  expect(told.shown).toEqual([]);
});

test('without a network the stored list is shown, with its date', async () => {
  const { gallery, server, row } = await desk();
  await gallery.open();
  await server.close();
  await gallery.open();
  expect(row().name).toBe('Acorn');
  expect(gallery.view!.problem).toMatch(
    /^Parley can’t reach 127\.0\.0\.1:\d+\. .* This list is from Nov 2[123], 2026\.$/,
  );
});

test.each<[string, { readonly index?: Answer; readonly stored?: string }, RegExp]>([
  [
    'is no index',
    { index: '<html>' },
    /did not send a list of agents\. The list shows only agents that Parley knows\.$/,
  ],
  [
    'is missing',
    { index: (_, response) => response.writeHead(404).end() },
    /HTTP 404.* The list shows only agents that Parley knows\.$/,
  ],
  [
    'is missing, and the stored one is damaged',
    { index: (_, response) => response.writeHead(500).end(), stored: '{"address":' },
    /HTTP 500.* The stored list is damaged, so the list shows only agents that Parley knows\.$/,
  ],
])('an index that %s is a sentence', async (_, fields, words) => {
  const { gallery } = await desk(fields);
  await gallery.open();
  expect(gallery.view!.problem).toMatch(words);
  expect(gallery.view!.loading).toBe(false);
});

test('a damaged stored list is replaced without a word', async () => {
  const { gallery, row, cacheFile } = await desk({ stored: 'half' });
  await gallery.open();
  expect(row().name).toBe('Acorn');
  expect(gallery.view!.problem).toBeUndefined();
  expect(JSON.parse(readFileSync(cacheFile, 'utf8'))).toMatchObject({ checkedAt: Date.UTC(2026, 10, 22) });
});

test('an installation that cannot begin says why, and can be tried again', async () => {
  const { gallery, programs, row, install } = await desk();
  await gallery.open();
  const begin = programs.desk.bind(programs);
  // After the question.
  told.meanwhile = async () => {
    programs.desk = () => Promise.reject(new Error('EMFILE: too many open files'));
    told.meanwhile = undefined;
  };
  await install().catch(() => undefined);
  expect(row()).toMatchObject({ state: 'failed' });
  programs.desk = begin;
  await install();
  expect(row()).toMatchObject({ state: 'ready' });
});
