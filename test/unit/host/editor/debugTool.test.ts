import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { debugTool, endDebugging } from '../../../../src/host/editor/debugTool';
import { ToolDesk } from '../../../fakes/toolDesk';

type Tracker = { onWillReceiveMessage(message: unknown): void; onDidSendMessage(message: unknown): void } | undefined;
const world = vi.hoisted(() => ({
  folder: '',
  configurations: [] as unknown,
  requests: [] as unknown[],
  answers: {} as Record<string, unknown>,
  begin: [] as ((session: unknown) => void)[],
  end: [] as ((session: unknown) => void)[],
  trackers: [] as ((session: unknown) => unknown)[],
  breakpoints: [] as unknown[],
  /** What happens when VS Code starts a program. */
  started: () => undefined as unknown,
  ended: 0,
}));
const session = (name: string) => ({
  id: name,
  configuration: { name },
  customRequest: async (command: string, body: unknown) => {
    world.requests.push({ command, body });
    if (world.answers[command] instanceof Error) throw world.answers[command];
    return world.answers[command];
  },
});
let tracker: Tracker;

vi.mock('vscode', () => {
  class Position {
    constructor(readonly line: number) {}
  }
  return {
    Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
    Position,
    Location: class {
      readonly range: object;
      constructor(
        readonly uri: object,
        start: Position,
      ) {
        this.range = { start };
      }
    },
    SourceBreakpoint: class {
      readonly id = String(Math.random());
      constructor(readonly location: object) {}
    },
    workspace: {
      get workspaceFolders() {
        return [{ uri: { fsPath: world.folder } }];
      },
      getConfiguration: () => ({ get: () => world.configurations }),
    },
    debug: {
      onDidStartDebugSession: (listener: (item: unknown) => void) => world.begin.push(listener),
      onDidTerminateDebugSession: (listener: (item: unknown) => void) => world.end.push(listener),
      registerDebugAdapterTrackerFactory: (_: string, made: { createDebugAdapterTracker(item: unknown): unknown }) =>
        world.trackers.push((item) => made.createDebugAdapterTracker(item)),
      startDebugging: async (_: unknown, name: string) => {
        tracker = world.trackers[0]!(session(name)) as Tracker;
        for (const listener of world.begin) listener(session(name));
        tracker?.onDidSendMessage({ type: 'event', event: 'stopped', body: { threadId: 7, reason: 'breakpoint' } });
        await world.started();
        return true;
      },
      stopDebugging: async (item: unknown) => {
        world.ended++;
        world.end.forEach((listener) => listener(item));
      },
      get breakpoints() {
        return world.breakpoints;
      },
      addBreakpoints: (items: unknown[]) => world.breakpoints.push(...items),
      removeBreakpoints: (items: unknown[]) =>
        (world.breakpoints = world.breakpoints.filter((item) => !items.includes(item))),
    },
  };
});

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
  Object.assign(world, {
    folder: desk.folder,
    configurations: [{ name: 'app', type: 'node', program: 'a.js' }, 7, { name: 3 }],
    requests: [],
    breakpoints: [],
    started: () => undefined,
    ended: 0,
    answers: {
      stackTrace: { stackFrames: [{ id: 1, name: 'main', line: 4, source: { path: `${desk.folder}/a.js` } }] },
    },
  });
});
afterEach(async () => {
  await endDebugging('s');
  desk.dispose();
});

const call = (args: object, more: object = {}) => debugTool(args as never, desk.session(more as never), neverCancelled);

it('debugs a program of its own: start, stack, evaluate, continue, stop', async () => {
  expect(await call({ action: 'configurations' })).toBe('Debug configurations\n  app (node)');
  expect(await call({ action: 'start', configuration: 'app' })).toBe('Stopped: breakpoint\n  #0 main (a.js:4)');
  expect(desk.asked).toEqual(['Debug “app”: {"type":"node","program":"a.js"}']);
  world.answers['evaluate'] = { result: 'x'.repeat(10_000_000) };
  expect((await call({ action: 'evaluate', expression: 'rm()\u202e' })).length).toBeLessThan(61_000);
  expect(desk.asked[1]).toBe('Evaluate in the debugged program: rm()⟨U+202E⟩');
  // A second session sees nothing of it.
  const other = { scope: { sessionId: 'other', agent: 'B', cwd: desk.folder, roots: [desk.folder] } };
  await expect(call({ action: 'variables' }, other)).rejects.toThrow('You are debugging no program');
  const going = call({ action: 'continue', timeout: 1 });
  await vi.waitFor(() => expect(world.requests.at(-1)).toEqual({ command: 'continue', body: { threadId: 7 } }));
  await vi.waitFor(() => expect(desk.clock.running).toBe(1));
  await expect(call({ action: 'stack' })).rejects.toThrow('The program runs.');
  desk.clock.advance(10_000);
  expect(await going).toMatch(/still runs after 1 s/);
  expect(await call({ action: 'stop' })).toBe('Stopped.');
  await expect(call({ action: 'state' })).rejects.toThrow('You are debugging no program');
});

it('knows that the program has not moved if the debugger refuses', async () => {
  await call({ action: 'start', configuration: 'app' });
  world.answers['next'] = new Error('Cannot step here');
  await expect(call({ action: 'step_over' })).rejects.toThrow('The debugger refused: Cannot step here');
  expect(await call({ action: 'state' })).toBe('Stopped: breakpoint\n  #0 main (a.js:4)');
});

it('follows the user, who continues and steps in the same program', async () => {
  await call({ action: 'start', configuration: 'app' });
  tracker!.onWillReceiveMessage({ type: 'request', seq: 5, command: 'continue', arguments: { threadId: 7 } });
  expect(await call({ action: 'state' })).toBe('The program runs.');
  tracker!.onDidSendMessage({ type: 'response', request_seq: 5, command: 'continue', success: false });
  expect(await call({ action: 'state' })).toMatch(/^Stopped: breakpoint/);
  tracker!.onWillReceiveMessage({ type: 'request', seq: 6, command: 'next', arguments: { threadId: 7 } });
  tracker!.onDidSendMessage({ type: 'event', event: 'stopped', body: { threadId: 8, reason: 'step' } });
  tracker!.onDidSendMessage({ type: 'response', request_seq: 6, command: 'next', success: true });
  expect(await call({ action: 'state' })).toMatch(/^Stopped: step/);
  tracker!.onWillReceiveMessage({ type: 'request', seq: 7, command: 'stackTrace', arguments: {} });
  expect(await call({ action: 'state' })).toMatch(/^Stopped: step/);
});

it('does not take the frame on top for one that the agent named wrongly', async () => {
  await call({ action: 'start', configuration: 'app' });
  world.answers['scopes'] = { scopes: [{ name: 'Local', variablesReference: 3 }] };
  world.answers['variables'] = { variables: [{ name: 'x', value: '1' }] };
  expect(await call({ action: 'variables', frame: '0' })).toBe('Local:\n  x = 1');
  await expect(call({ action: 'variables', frame: '1' })).rejects.toThrow('There is no such frame.');
  await expect(call({ action: 'variables', frame: 'main' })).rejects.toThrow('frame must be a whole number.');
});

it('says that a program has ended before anybody could look', async () => {
  world.started = () => world.end.forEach((listener) => listener(session('app')));
  expect(await call({ action: 'start', configuration: 'app' })).toBe('The program has ended.');
});

it('stops a program that starts after the agent has withdrawn the call', async () => {
  const source = new CancellationSource();
  world.started = () => source.cancel();
  const started = debugTool({ action: 'start', configuration: 'app' }, desk.session(), source.token);
  await expect(started).rejects.toThrow('The call was withdrawn, and the program was stopped.');
  expect(world.ended).toBe(1);
  await expect(call({ action: 'state' })).rejects.toThrow('You are debugging no program');
});

it('leaves neither a program nor a breakpoint behind when its session ends', async () => {
  world.breakpoints = ['the user’s'];
  await call({ action: 'set_breakpoint', path: 'a.js', line: 2 });
  await call({ action: 'start', configuration: 'app' });
  await endDebugging('other');
  expect([world.ended, world.breakpoints.length]).toEqual([0, 2]);
  await endDebugging('s');
  expect([world.ended, world.breakpoints]).toEqual([1, ['the user’s']]);
});

it('starts nothing without the user, nor a configuration that changed meanwhile', async () => {
  desk.meanwhile = () => (world.configurations = [{ name: 'app', type: 'node', program: 'evil.js' }]);
  await expect(call({ action: 'start', configuration: 'app' })).rejects.toThrow('changed while the user was asked');
  desk.allows = false;
  await expect(call({ action: 'start', configuration: 'app' })).rejects.toThrow('did not allow');
  await expect(call({ action: 'start', configuration: 'none' })).rejects.toThrow('no such configuration');
});

it('removes only its own breakpoints', async () => {
  world.breakpoints = ['the user’s'];
  expect(await call({ action: 'set_breakpoint', path: 'a.js', line: 2 })).toMatch(/^Breakpoint at a.js:2/);
  await expect(call({ action: 'remove_breakpoint', path: 'a.js', line: 3 })).rejects.toThrow('You set no breakpoint');
  await call({ action: 'remove_breakpoint', path: 'a.js', line: 2 });
  expect(world.breakpoints).toEqual(['the user’s']);
  await expect(call({ action: 'set_breakpoint', path: '/etc/a.js', line: 2 })).rejects.toThrow('outside');
});

it('counts neither a breakpoint twice nor one that the user has removed', async () => {
  await call({ action: 'set_breakpoint', path: 'a.js', line: 2 });
  expect(await call({ action: 'set_breakpoint', path: 'a.js', line: 2 })).toBe('You have a breakpoint at a.js:2.');
  expect(world.breakpoints).toHaveLength(1);
  world.breakpoints = [];
  expect(await call({ action: 'set_breakpoint', path: 'a.js', line: 3 })).toMatch(/1 breakpoint of yours/);
  await expect(call({ action: 'remove_breakpoint', path: 'a.js', line: 2 })).rejects.toThrow('You set no breakpoint');
});
