import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { silentLogger } from '../../../../src/base/log';
import { callTool, listedTools } from '../../../../src/host/editor/callTool';
import { chooseTools } from '../../../../src/host/editor/chooseTools';
import { ToolDesk } from '../../../fakes/toolDesk';

type Item = { readonly label: string; readonly key?: string; readonly picked?: boolean; readonly kind?: number };
const world = vi.hoisted(() => ({
  lm: undefined as object | undefined,
  isTrusted: true,
  switches: {} as Record<string, unknown>,
  extensions: [] as object[],
  invoked: [] as unknown[],
  invoke: (async () => ({ content: [] })) as (token: { isCancellationRequested: boolean }) => Promise<unknown>,
  items: [] as Item[],
  choose: ((items: Item[]) => items.filter(({ picked }) => picked)) as (items: Item[]) => Item[] | undefined,
}));

vi.mock('vscode', () => ({
  get lm() {
    return world.lm;
  },
  workspace: {
    get isTrusted() {
      return world.isTrusted;
    },
    getConfiguration: () => ({
      get: () => world.switches,
      update: async (_: string, value: Record<string, unknown>, target: number) => {
        expect(target).toBe(1);
        world.switches = value;
      },
    }),
  },
  ConfigurationTarget: { Global: 1 },
  QuickPickItemKind: { Separator: -1 },
  window: { showQuickPick: async (items: Item[]) => world.choose((world.items = items)) },
  extensions: {
    get all() {
      return world.extensions;
    },
  },
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false };
    cancel() {
      this.token.isCancellationRequested = true;
    }
    dispose() {}
  },
}));

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: undefined, tags: [] });
const extension = (id: string, displayName: string | undefined, ...names: readonly string[]) => ({
  id,
  packageJSON: { displayName, contributes: { languageModelTools: names.map((name) => ({ name })) } },
});
const key = 'pub.ext/search';

let desk: ToolDesk;
let works: string[];
beforeEach(() => {
  desk = new ToolDesk();
  works = [];
  world.isTrusted = true;
  world.switches = { [key]: true };
  world.invoked = [];
  world.invoke = async () => ({ content: [{ value: 'found' }] });
  world.extensions = [extension('pub.ext', 'An Extension', 'search'), { id: 'odd.one', packageJSON: null }];
  world.lm = {
    tools: [tool('search'), tool('fetch')],
    invokeTool: async (name: string, options: object, token: { isCancellationRequested: boolean }) => {
      world.invoked.push({ name, ...options });
      return world.invoke(token);
    },
  };
});
afterEach(() => desk.dispose());

const names = async () =>
  (await listedTools()).map((item) => (item as { name: string }).name).filter((name) => name.startsWith('ext_'));
const call = (args: unknown = { query: 'a' }, token = neverCancelled, name = 'ext_search') =>
  callTool(
    { id: 's', name, args },
    { sessionOf: () => desk.session(), works: (id) => void works.push(id), log: silentLogger },
    token,
  );

describe('tools of other extensions', () => {
  it('are listed only if the user has chosen them', async () => {
    expect(await names()).toEqual(['ext_search']);
    world.switches = { search: true, ext_search: true, 'unknown/search': true };
    expect(await names()).toEqual([]);
    world.switches = { 'unknown/fetch': true };
    expect(await names()).toEqual(['ext_fetch']);
  });

  it.each([
    ['Restricted Mode', () => (world.isTrusted = false)],
    ['an editor without the API', () => (world.lm = undefined)],
    ['an editor with a part of the API', () => (world.lm = { tools: [tool('search')] })],
    ['another extension that names the tool, too', () => world.extensions.push(extension('bad.ext', 'B', 'search'))],
    ['another extension that has the tool now', () => (world.extensions = [extension('bad.ext', 'B', 'search')])],
    ['an extension that is gone', () => (world.extensions = [])],
  ])('are neither listed nor called in %s', async (_what, change) => {
    change();
    expect(await names()).toEqual([]);
    expect((await call()).isError).toBe(true);
    expect([world.invoked, desk.asked]).toEqual([[], []]);
  });

  it('are called after the user agreed to the tool, the extension and the input', async () => {
    expect(await call()).toEqual({ text: 'found' });
    expect(desk.asked).toEqual(['Run the tool “search” of An Extension (pub.ext) {"query":"a"}']);
    expect(world.invoked).toEqual([{ name: 'search', input: { query: 'a' }, toolInvocationToken: undefined }]);
    expect(works).toEqual(['s']);
  });

  it('are not called if the user refuses', async () => {
    desk.allows = false;
    expect(await call()).toMatchObject({ isError: true, text: expect.stringContaining('did not allow this call') });
    expect(world.invoked).toEqual([]);
  });

  it.each([
    ['the user switches it off', () => (world.switches = {})],
    ['its extension is replaced', () => (world.extensions = [extension('bad.ext', 'B', 'search')])],
  ])('are not called if %s while the user is asked', async (_what, change) => {
    desk.meanwhile = change;
    expect(await call()).toMatchObject({ isError: true, text: 'The tool is gone. List the tools again.' });
    expect(world.invoked).toEqual([]);
  });

  it('get no input that the user could not judge', async () => {
    expect((await call({ query: 'x'.repeat(9_000) })).text).toMatch(/too long to be shown/);
    expect(desk.asked).toEqual([]);
  });

  it('get exactly what was shown of an input that is too deep', async () => {
    let deep: object = {};
    for (let depth = 0; depth < 100; depth++) deep = { a: deep };
    await call(deep);
    expect(desk.asked[0]).toContain(JSON.stringify((world.invoked[0] as { input: object }).input));
  });

  it('show names that mislead as they are', async () => {
    world.lm = { ...world.lm, tools: [tool('sea\u202erch\u200b')] };
    world.extensions = [extension('pub.ext', 'Git\nHub', 'sea\u202erch\u200b')];
    world.switches = { 'pub.ext/sea\u202erch\u200b': true };
    const [name] = await names();
    expect(name).toMatch(/^ext_sea_rch__\w+$/);
    await call({}, neverCancelled, name);
    expect(desk.asked[0]).toMatch(/^Run the tool “sea⟨U\+202E⟩rch⟨U\+200B⟩” of Git Hub \(pub\.ext\)/);
  });

  it.each([
    [new Error('no network'), 'The tool failed: no network'],
    [Object.assign(new Error('Canceled'), { name: 'Canceled' }), 'The user or the extension cancelled the call.'],
  ])('that fail say why: %s', async (error, expected) => {
    world.invoke = async () => {
      throw error;
    };
    expect(await call()).toEqual({ text: expected, isError: true });
  });

  it('are cancelled with the call, also while VS Code asks', async () => {
    const source = new CancellationSource();
    let given: { isCancellationRequested: boolean } | undefined;
    world.invoke = (token) => {
      given = token;
      return new Promise(() => undefined);
    };
    const answer = call({}, source.token);
    await vi.waitFor(() => expect(given).toBeDefined());
    source.cancel();
    expect(await answer).toEqual({ text: 'The call was withdrawn.', isError: true });
    expect(given?.isCancellationRequested).toBe(true);
    expect(desk.clock.running).toBe(0);
  });

  it('are cancelled if they never answer', async () => {
    let given: { isCancellationRequested: boolean } | undefined;
    world.invoke = (token) => {
      given = token;
      return new Promise(() => undefined);
    };
    const answer = call();
    await vi.waitFor(() => expect(given).toBeDefined());
    desk.clock.advance(600_000);
    expect(await answer).toEqual({ text: 'The tool failed: no answer within 10 minutes', isError: true });
    expect(given?.isCancellationRequested).toBe(true);
  });
});

describe('the choice of tools', () => {
  it('has those of other extensions under a heading, off at first', async () => {
    world.switches = {};
    await chooseTools();
    expect(world.items.slice(world.items.findIndex(({ kind }) => kind === -1))).toEqual([
      { label: 'Tools of other extensions', kind: -1 },
      {
        label: 'search',
        description: 'An Extension (pub.ext)',
        detail: 'Does search.',
        key,
        isOptIn: true,
        picked: false,
      },
      { label: 'Other tools of VS Code’s chat', kind: -1 },
      { label: 'fetch', detail: 'Does fetch.', key: 'unknown/fetch', isOptIn: true, picked: false },
    ]);
    expect(world.switches).toEqual({});
  });

  it('keeps the answer, and entries of tools that are not there now', async () => {
    world.switches = { 'gone.ext/tool': true, selection: true };
    world.choose = (items) =>
      items.filter(({ key: own, picked }) => own === key || (picked && own !== 'rename_symbol'));
    await chooseTools();
    expect(world.switches).toEqual({ 'gone.ext/tool': true, rename_symbol: false, selection: true, [key]: true });
    world.choose = (items) => items.filter(({ key: own, picked }) => picked && own !== key);
    await chooseTools();
    expect(world.switches).toEqual({ 'gone.ext/tool': true, rename_symbol: false, selection: true });
  });

  it('has no heading in Restricted Mode', async () => {
    world.isTrusted = false;
    await chooseTools();
    expect(world.items.some(({ kind }) => kind === -1)).toBe(false);
    expect(world.switches).toEqual({ [key]: true });
  });
});
