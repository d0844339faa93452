import { expect, it } from 'vitest';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { neverCancelled } from '../../../src/base/cancellation';
import type { ToolCall } from '../../../src/thread/thread';
import { replay } from '../../../src/thread/replay';
import { ScenarioPlayer } from './scenario';

const call = (toolCallId: string, kind: string, status = 'completed') => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: toolCallId,
  kind,
  status,
});
const ends = (toolCallId: string, status = 'completed') => ({ sessionUpdate: 'tool_call_update', toolCallId, status });
const mode = {
  sessionUpdate: 'config_option_update',
  configOptions: [
    {
      id: 'm',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: 'a',
      options: [
        { value: 'a', name: 'A' },
        { value: 'b', name: 'B' },
      ],
    },
  ],
};
const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] as const;

/** What an agent does: updates, `>` for another prompt, `?` for a permission request, `Stop`. */
type Step = object | '>' | '?' | 'Stop';

async function marked(steps: readonly Step[]): Promise<string[]> {
  const player = new ScenarioPlayer();
  for (const step of steps) {
    if (step === '>') await player.play({ prompt: 'Go on' });
    else if (step === 'Stop') await player.play({ cancel: true });
    else if (step === '?')
      void player.session.requestPermission(
        { sessionId: 's', toolCall: { toolCallId: 'asked', title: 'asked' }, options },
        neverCancelled,
      );
    else player.session.applyUpdate(decodeUpdate(step).value!);
  }
  const of = (entries: Iterable<unknown>) =>
    ([...entries] as ToolCall[]).flatMap((entry) =>
      entry.kind === 'toolCall' && entry.wasUnasked ? [entry.toolCallId] : [],
    );
  expect(of(replay(player.actions).entries)).toEqual(of(player.session.thread.entries));
  return of(player.session.thread.entries);
}

it.each<[name: string, steps: readonly Step[], expected: string[]]>([
  ['the first command', ['>', call('a', 'execute'), call('b', 'execute')], ['a']],
  [
    'the first command and the first change',
    ['>', call('a', 'edit'), call('b', 'execute'), call('c', 'delete')],
    ['a', 'b'],
  ],
  ['one that ends later', ['>', call('a', 'execute', 'in_progress'), ends('a')], ['a']],
  ['one that failed, which may not have run', ['>', call('a', 'execute', 'in_progress'), ends('a', 'failed')], []],
  ['what only reads', ['>', call('a', 'read'), call('b', 'search'), call('c', 'other')], []],
  ['an agent with a mode', [mode, '>', call('a', 'execute')], []],
  ['an agent that has asked', ['>', '?', call('a', 'execute')], []],
  ['history before the first prompt', [call('a', 'execute')], []],
  ['what ends after Stop', ['>', call('a', 'execute', 'in_progress'), 'Stop', ends('a')], []],
])('marks, as far as is known: %s', async (_name, steps, expected) => expect(await marked(steps)).toEqual(expected));

it('marks nothing of a session that goes on', async () => {
  const before = new ScenarioPlayer();
  await before.play({ prompt: 'Hello' });
  const player = new ScenarioPlayer(1, false, replay(before.actions));
  await player.play({ prompt: 'Go on' });
  player.session.applyUpdate(decodeUpdate(call('a', 'execute')).value!);
  expect([...player.session.thread.entries].some((entry) => entry.kind === 'toolCall' && entry.wasUnasked)).toBe(false);
});
