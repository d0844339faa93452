import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { PanelController } from '../../../../src/host/panel/panelController';
import type { FromWebview } from '../../../../src/protocol/messages';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const messages = new Emitter<FromWebview>();
let controller: PanelController;
/** The attachments of the draft, by id. */
let drafted: string[];
let adding: Deferred<void>;
let sent: { readonly text: string; readonly attachments: readonly string[] }[];

beforeEach(() => {
  [drafted, sent, adding] = [['shown'], [], new Deferred()];
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
  const view = { session: { id: 's', session: { id: 's' }, cwd: '/w' } };
  const sessions = { submit: async (draft: (typeof sent)[number]) => void sent.push(draft) };
  controller = new PanelController({ view, panel: { onDidReceive: messages.event }, sessions, draftAttachments, attachments: async () => attachments, pending: {}, forgetSent: () => undefined, log: silentLogger } as never);
});
afterEach(() => controller.dispose());

const send = async (message: FromWebview) => {
  messages.fire(message);
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};
const submit = (text: string, attachments: readonly string[]): FromWebview => ({ type: 'prompt/submit', text, mentions: [], attachments });
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
