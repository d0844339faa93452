import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcEndpoint } from '../../../../src/acp/rpcEndpoint';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { EditorServer } from '../../../../src/host/editor/editorServer';
import { ToolListWatch } from '../../../../src/host/editor/toolListWatch';
import { pipeMethods, pipeVariables } from '../../../../src/node/editorPipe';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../../../src/node/ndjson';
import { FakeClock } from '../../../fakes/fakeClock';

const ended = vi.hoisted(() => [] as string[]);
vi.mock('../../../../src/host/editor/debugTool', () => ({
  debugTool: async () => '',
  endDebugging: async (id: string) => void ended.push(id),
}));
const world = vi.hoisted(() => ({
  switches: {} as Record<string, boolean>,
  extensions: new Set<() => void>(),
  settings: new Set<(change: { affectsConfiguration(key: string): boolean }) => void>(),
}));
vi.mock('vscode', () => {
  const listen = (set: Set<unknown>) => (listener: unknown) => {
    set.add(listener);
    return { dispose: () => set.delete(listener) };
  };
  return {
    workspace: {
      isTrusted: true,
      getConfiguration: () => ({ get: () => world.switches }),
      onDidChangeConfiguration: listen(world.settings),
    },
    extensions: { onDidChange: listen(world.extensions) },
  };
});

describe('the server of a session', () => {
  const changed = new Emitter<void>();
  let server: EditorServer;
  beforeEach(() => {
    world.switches = {};
    server = new EditorServer({
      program: 'unused',
      sessionOf: () => undefined,
      works: () => undefined,
      onDidChangeTools: changed.event,
      log: silentLogger,
    });
  });
  afterEach(() => server.dispose());

  /** Connects as the program that an agent starts. @returns what it is told */
  async function connected(id: string) {
    const { env } = (await server.open(id)) as {
      readonly env: readonly { readonly name: string; readonly value: string }[];
    };
    const valueOf = (key: string) => env.find(({ name }) => name === key)!.value;
    const socket = connect(valueOf(pipeVariables.path));
    const observer = { skipped: () => undefined };
    let told = 0;
    const end = new RpcEndpoint(
      new NdjsonMessageReader(socket, observer),
      new NdjsonMessageWriter(socket, observer),
      { name: 'test', log: silentLogger },
      (rpc) => rpc.onNotification(pipeMethods.toolsChanged, () => void told++),
    );
    await end.call(pipeMethods.hello, { token: valueOf(pipeVariables.token) });
    const list = async () => (await end.call(pipeMethods.tools, {})) as { readonly tools: readonly object[] };
    const say = (client: string) => end.call(pipeMethods.hello, { client });
    const call = (name: string) => end.call(pipeMethods.call, { name, arguments: {} });
    return { list, told: () => told, say, call };
  }

  it('tells each agent that it gets other tools, and only then', async () => {
    const [one, other] = [await connected('one'), await connected('other')];
    changed.fire();
    const { length } = (await one.list()).tools;
    changed.fire();
    await other.list();
    world.switches = { hover: false };
    changed.fire();
    await expect.poll(() => [one.told(), other.told()]).toEqual([1, 1]);
    expect((await one.list()).tools).toHaveLength(length - 1);
    changed.fire();
    await other.list();
    expect([one.told(), other.told()]).toEqual([1, 1]);
  });

  it('keeps a hundred of the names that a program says, and of tools that it makes up', async () => {
    const { say, call } = await connected('one');
    for (let at = 0; at < 150; at++) await Promise.all([say(`client ${at}`), call(`tool ${at}`)]);
    const { clients, calls } = server.useOf('one')!;
    expect([clients.size, calls.size]).toEqual([100, 100]);
  });

  it('ends what an agent debugs with its session, and asks for no debugger otherwise', async () => {
    ended.length = 0;
    const [one] = [await connected('one'), await connected('other')];
    await one.call('debug');
    server.end('other');
    server.end('one');
    server.end('one');
    await expect.poll(() => ended).toEqual(['one']);
  });

  it.each(['end', 'dispose'] as const)(
    'serves nobody if the session is gone before its pipe is open: %s',
    async (how) => {
      const opening = server.open('one');
      if (how === 'end') server.end('one');
      else server.dispose();
      const { env } = (await opening) as { readonly env: readonly { readonly name: string; readonly value: string }[] };
      const pipe = env.find(({ name }) => name === pipeVariables.path)!.value;
      const socket = connect(pipe);
      expect(
        await new Promise((resolve) => ['connect', 'error'].map((name) => socket.once(name, () => resolve(name)))),
      ).toBe('error');
      expect(server.useOf('one')).toBeUndefined();
    },
  );

  it('serves the session that was opened twice at once', async () => {
    await Promise.all([server.open('one'), server.open('one')]);
    expect(server.useOf('one')).toBeDefined();
  });

  it('tells the others what one finds out', async () => {
    const [one, other] = [await connected('one'), await connected('other')];
    await one.list();
    world.switches = { hover: false };
    await other.list();
    await expect.poll(one.told).toBe(1);
  });
});

describe('what may change the list of tools', () => {
  it('is the user’s choice at once, and extensions after VS Code knows their tools', () => {
    const clock = new FakeClock();
    const watch = new ToolListWatch(clock);
    let changes = 0;
    watch.onDidChange(() => changes++);
    const set = (own: string) => {
      for (const listener of world.settings) listener({ affectsConfiguration: (key) => key === own });
    };
    set('parley.sounds');
    expect(changes).toBe(0);
    set('parley.editorTools');
    expect(changes).toBe(1);
    for (const listener of [...world.extensions, ...world.extensions]) listener();
    expect(changes).toBe(1);
    clock.advance(2_000);
    expect(changes).toBe(2);
    watch.dispose();
    expect([world.extensions.size, world.settings.size, clock.running]).toEqual([0, 0, 0]);
  });
});
