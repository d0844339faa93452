import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { PanelController } from '../../../../src/host/panel/panelController';
import type { FromWebview } from '../../../../src/protocol/fromWebview';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const messages = new Emitter<FromWebview>();
let controller: PanelController;
/** The attachments of the draft, by id. */
let drafted: string[];
let adding: Deferred<void>;
/** The pages that lie over the conversation, and those that were closed. */
let pages: { list?: object; gallery?: { form?: object } };
let closed: string[];
let view: { session: object; tab?: object };
let sent: { readonly text: string; readonly attachments: readonly string[] }[];

beforeEach(() => {
  [drafted, sent, adding, pages, closed] = [['shown'], [], new Deferred(), {}, []];
  const draftAttachments = {
    get views() {
      return drafted.map((id) => ({ id }));
    },
    take: (ids: readonly string[]) => {
      const taken = drafted.filter((id) => ids.includes(id));
      drafted = drafted.filter((id) => !taken.includes(id));
      return taken;
    },
  };
  const attachments = {
    handle: async ({ type }: FromWebview) => {
      if (type !== 'attachment/add' && type !== 'context/add') return;
      await adding.promise;
      drafted = [...drafted, 'added'];
    },
  };
  view = { session: { id: 's', session: { id: 's' }, cwd: '/w' } };
  const sessions = { submit: async (draft: (typeof sent)[number]) => void sent.push(draft) };
  const page = (name: keyof typeof pages) => ({
    opened: {
      get view() {
        return pages[name];
      },
      close: () => closed.push(name),
    },
  });
  const parts = {
    view,
    panel: { onDidReceive: messages.event },
    source: { forgetSent: () => undefined },
    attachments: { get: async () => attachments },
    draftAttachments,
  };
  const services = {
    chat: {
      sessions,
      sessionList: page('list'),
      gallery: page('gallery'),
      worktrees: { chosen: { of: () => [] } },
    },
    requests: {},
    changes: { panelReview: { open: {} } },
    files: {},
    log: silentLogger,
  };
  controller = new PanelController(parts as never, services as never);
});
afterEach(() => controller.dispose());

const send = async (message: FromWebview) => {
  messages.fire(message);
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};
const submit = (text: string, attachments: readonly string[]): FromWebview => ({
  type: 'prompt/submit',
  text,
  mentions: [],
  attachments,
});
const told = () => sent.map(({ text, attachments }) => `${text}: ${attachments.join()}`);

it('a message waits for what was added before it was sent, and takes it along', async () => {
  await send({ type: 'attachment/add', name: 'a.png', data: '' });
  await send(submit('first', ['shown']));
  await send(submit('second', []));
  expect(sent).toEqual([]);
  adding.resolve();
  await expect.poll(told).toEqual(['first: shown,added', 'second: ']);
});

it('what the user still chooses from a list is not waited for', async () => {
  await send({ type: 'context/add', source: 'menu' });
  await send(submit('now', ['shown']));
  expect(told()).toEqual(['now: shown']);
});

it.each([
  { what: 'the session list', pages: { list: {} }, closed: ['list'] },
  { what: 'the agents', pages: { gallery: {} }, closed: ['gallery'] },
  { what: 'an agent’s form, which stays open', pages: { gallery: { form: {} } }, closed: [] },
  { what: 'nothing', pages: {}, closed: [] },
  { what: 'the session list, by a tab', pages: { list: {} }, tab: {}, closed: [] },
])('a message that is sent closes $what, so that its answer is seen', async ({ pages: open, tab, closed: then }) => {
  pages = open;
  if (tab) view.tab = tab;
  await send(submit('go', []));
  expect([told(), closed]).toEqual([['go: '], then]);
});
