import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { mayAskInImported } from '../../../../src/host/panel/limitedViews';
import { PanelController } from '../../../../src/host/panel/panelController';
import type { FromWebview } from '../../../../src/protocol/fromWebview';

const touched = vi.hoisted((): string[] => []);
/** Records all that is asked of it, however deep. */
const recorder = vi.hoisted(
  () =>
    (name: string): unknown =>
      new Proxy(() => undefined, {
        get: (_target, key) => (key === 'then' || typeof key === 'symbol' ? undefined : recorder(`${name}.${key}`)),
        apply: () => void touched.push(name),
      }),
);
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  window: recorder('window'),
  commands: recorder('commands'),
  env: recorder('env'),
  workspace: recorder('workspace'),
}));

const messages = new Emitter<FromWebview>();
let controller: PanelController;
let view: Record<string, unknown>;
let open: { list: object | undefined; gallery: object | undefined };

beforeEach(() => {
  touched.length = 0;
  open = { list: undefined, gallery: undefined };
  const service = (name: string) => recorder(name) as Record<string, unknown>;
  const page = (name: string, view: () => object | undefined) => {
    const opened = new Proxy(service(name), {
      get: (target, key) => (key === 'view' ? view() : target[key as string]),
    });
    return { opened, get: async () => opened };
  };
  const group = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, service(name)]));
  view = {
    session: {
      id: 'imported',
      cwd: '/w',
      imported: { agent: 'Demo', exportedAt: 0 },
      ...group('session', 'queue', 'signIn', 'connection'),
    },
  };
  const parts = {
    view,
    panel: { onDidReceive: messages.event, post: recorder('panel.post') },
    ...group('source', 'attachments', 'draftAttachments'),
  };
  const services = {
    chat: {
      ...group('sessions', 'options', 'trouble'),
      sessionList: page('sessionList', () => open.list),
      gallery: page('gallery', () => open.gallery),
    },
    requests: group('panels', 'answers', 'permissions'),
    changes: group('review', 'panelReview', 'unclaimed', 'baselines', 'rewinds'),
    ...group('terminals', 'files', 'commands'),
    log: { warn: () => undefined, error: (text: string) => void touched.push(`error ${text}`), debug: () => undefined },
  };
  controller = new PanelController(parts as never, services as never);
});
afterEach(() => controller.dispose());

/** What reached anything when the view sent a message. */
async function send(message: object): Promise<readonly string[]> {
  messages.fire(message as FromWebview);
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setImmediate(resolve));
  return touched.splice(0);
}

const acts: readonly object[] = [
  { type: 'permission/disableRule', entryId: 'e0' },
  { type: 'permission/addRule', requestId: 'r' },
  { type: 'permission/select', requestId: 'r', optionId: 'allow' },
  { type: 'permission/showOptions', requestId: 'r' },
  { type: 'permission/openDiff', requestId: 'r', path: '/w/a' },
  { type: 'notice/act', action: 'newSession' },
  { type: 'notice/act', action: 'retry' },
  { type: 'notice/act', action: 'editSettings' },
  { type: 'prompt/submit', text: 'x', mentions: [], attachments: [] },
  { type: 'answer/retry', entryId: 'e0' },
  { type: 'prompt/edit', entryId: 'e0' },
  { type: 'checkpoint/restore', entryId: 'e0' },
  { type: 'checkpoint/redo' },
  { type: 'change/undo' },
  { type: 'change/keep' },
  { type: 'change/undo', path: '/w/a' },
  { type: 'change/undoTurn', turn: 'e0' },
  { type: 'change/resolve', path: '/w/a', choice: 'agent' },
  { type: 'diff/review', entryId: 'e0', index: 0 },
  { type: 'notes/act', act: 'send' },
  { type: 'code/insert', text: 'x' },
  { type: 'code/save', text: 'x', info: 'sh evil.sh' },
  { type: 'code/newFile', text: 'x', language: 'sh' },
  { type: 'option/set', key: 'mode', value: 'yolo' },
  { type: 'elicitation/open', requestId: 'r' },
  { type: 'elicitation/submit', requestId: 'r', values: {} },
  { type: 'signIn/act', requestId: 'r', act: 'run' },
  { type: 'terminal/cancel', terminalId: 't' },
  { type: 'setup/showServers' },
  { type: 'agent/select' },
  { type: 'follow/toggle' },
  { type: 'queue/resume' },
  { type: 'attachment/addUris', uris: ['file:///etc/passwd'] },
  { type: 'trust/manage' },
  { type: 'demo/start' },
];

describe('a view of an imported session', () => {
  it.each(acts.map((message) => [JSON.stringify(message), message] as const))(
    'cannot do %s',
    async (_name, message) => {
      expect(await send(message)).toEqual([]);
    },
  );

  it('says no more that a request is shown', async () => {
    expect(await send({ type: 'permission/shown', requestId: 'r', read: true })).toEqual(['answers.handleShown']);
  });

  it('can be copied, left and read', async () => {
    expect(await send({ type: 'code/copy', text: 'x' })).toEqual(['env.clipboard.writeText']);
    expect(await send({ type: 'sessions/toggle' })).toEqual(['sessionList.toggle']);
    expect(await send({ type: 'session/new' })).toEqual(['sessions.views.use', 'commands.newSession']);
    expect(await send({ type: 'prompt/pick' })).toEqual(['sessions.views.use', 'commands.goToPrompt']);
  });

  it('takes what the pages over it ask for while they are open', async () => {
    for (const message of [
      { type: 'sessions/act', act: 'delete', keys: ['k'] },
      { type: 'gallery/act', key: 'k', act: 'install' },
      { type: 'agentForm/save', values: {} },
    ])
      expect(await send(message), message.type).toEqual([]);
    open = { list: {}, gallery: {} };
    expect(await send({ type: 'sessions/act', act: 'delete', keys: ['k'] })).toEqual(['sessionList.act']);
    expect(await send({ type: 'gallery/act', key: 'k', act: 'install' })).toEqual(['gallery.act']);
  });

  it('refuses what nobody has thought about', () => {
    expect(mayAskInImported({ type: 'later/message' } as never, { list: true, gallery: true })).toBe(false);
  });
});

describe('a view of a subagent', () => {
  beforeEach(() => {
    const { imported: _, ...session } = view['session'] as Record<string, unknown>;
    view = Object.assign(view, { session, subagent: 'e3' });
  });

  it.each(
    [
      { type: 'prompt/submit', text: 'x', mentions: [], attachments: [] },
      { type: 'turn/cancel' },
      { type: 'queue/clear' },
      { type: 'option/set', key: 'mode', value: 'yolo' },
      { type: 'notice/act', action: 'newSession' },
      { type: 'change/undo' },
      { type: 'checkpoint/restore', entryId: 'e0' },
      { type: 'attachment/addUris', uris: ['file:///etc/passwd'] },
      { type: 'permission/shown', requestId: 'r', read: true },
      { type: 'session/new' },
      { type: 'sessions/act', act: 'delete', keys: ['k'] },
      { type: 'later/message' },
    ].map((message) => [message.type, message] as const),
  )('has no say in its session: %s', async (_type, message) => {
    expect(await send(message)).toEqual([]);
  });

  it('answers what the subagent asks, stops it, and opens the ones below', async () => {
    expect(await send({ type: 'permission/select', requestId: 'r', optionId: 'allow' })).toEqual(['answers.select']);
    expect(await send({ type: 'toolCall/cancel', entryId: 'e3' })).toEqual(['session.cancelToolCall']);
    expect(await send({ type: 'subagent/open', entryId: 'e5' })).toEqual(['panels.openSubagent']);
  });
});
