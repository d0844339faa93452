import { expect, it } from 'vitest';
import { nothingOffered } from '../../../src/acp/decodeOptions';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { Session } from '../../../src/thread/session';
import { toolCallView } from '../../../src/view/projectToolCall';
import { FakeClock } from '../../fakes/fakeClock';

it('a request of Parley itself is told from those of the agent, which rules answer', async () => {
  const session = new Session('s', new FakeClock(), silentLogger);
  session.attach({ sessionId: 'remote', link: {} as never }, nothingOffered, true);
  const options = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }] as const;
  const own = session.ask({ title: 'Run the task' }, options, neverCancelled);
  const toolCall = { toolCallId: 'c', title: 'Run it' };
  void session.requestPermission({ sessionId: 'remote', toolCall, options }, neverCancelled);
  const asked = () =>
    [...session.thread.entries].flatMap((entry) =>
      entry.kind === 'toolCall' ? toolCallView(entry, '/w').permissions : [],
    );
  expect(asked().map(({ title, isOwn }) => [title, isOwn])).toEqual([
    ['Run the task', true],
    ['Run it', undefined],
  ]);
  session.selectPermission(asked()[0]!.requestId, 'allow');
  expect(await own).toBe('allow');
});
