import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TurnEnd } from '../../../../src/acp/agentConnection';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { Deferred } from '../../../../src/base/deferred';
import { handleListenerErrors } from '../../../../src/base/event';
import type { IDisposable } from '../../../../src/base/lifecycle';
import { LiveSession } from '../../../../src/host/sessions/liveSession';
import type { Session } from '../../../../src/thread/session';
import type { SessionLink } from '../../../../src/thread/sessionLink';
import { sessionLink } from '../../../fakes/sessionLink';
import { sessionServices } from '../../../fakes/sessionServices';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

/** A session that is attached already, to an agent that only takes prompts. */
vi.mock('../../../../src/host/sessions/sessionConnection', () => ({
  SessionConnection: class {
    readonly missingContext = undefined;
    readonly signIn = { settled: () => undefined };
    readonly onDidChange = () => ({ dispose: () => undefined });
    readonly attach = async () => ({ features: { prompt: {} } });
    readonly dispose = () => undefined;

    constructor(
      readonly place: object,
      session: Session,
    ) {
      const prompt: SessionLink['prompt'] = (_id, [block]) => sent(block?.type === 'text' ? block.text : '');
      session.attach({ sessionId: 's1', link: sessionLink({ prompt }) }, nothingOffered);
    }
  },
}));

let prompts: { readonly text: string; readonly end: Deferred<TurnEnd> }[];
let diskTurns: string[];
let errors: string[];
let handler: IDisposable;
let live: LiveSession;

const sent = (text: string): Promise<TurnEnd> => {
  const end = new Deferred<TurnEnd>();
  prompts.push({ text, end });
  return end.promise;
};

const draft = (text: string) => ({ text, mentions: [], attachments: [] });

beforeEach(() => {
  [prompts, diskTurns, errors] = [[], [], []];
  handler = handleListenerErrors((error) => errors.push(String(error)));
  const services = sessionServices({
    prompts: { build: async ({ text }) => [{ type: 'text', text }] },
    turns: { begin: async () => void diskTurns.push('begin'), end: () => void diskTurns.push('end') },
  });
  live = new LiveSession({ id: 'local', agent: 'A', cwd: '/p', roots: ['/p'] }, services);
});
afterEach(() => {
  handler.dispose();
  live.dispose();
});

it('a listener that throws at the end of a turn stops neither the queue nor the end of the disk watch', async () => {
  live.session.onDidAct(({ type }) => {
    if (type === 'turn/ended') throw new Error('broken');
  });
  void live.submit(draft('one'));
  void live.submit(draft('two'));
  for (const text of ['one', 'two']) {
    await vi.waitFor(() => expect(prompts.at(-1)?.text).toBe(text), 20_000);
    prompts.at(-1)!.end.resolve({ stopReason: 'end_turn' });
  }
  await vi.waitFor(() => expect(diskTurns).toEqual(['begin', 'end', 'begin', 'end']), 20_000);
  expect(live.queue.list).toEqual([]);
  expect(live.session.isRunning).toBe(false);
  expect(errors).toEqual(['Error: broken', 'Error: broken']);
});
