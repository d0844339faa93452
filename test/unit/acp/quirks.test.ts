import { describe, expect, it } from 'vitest';
import { agentFeatures } from '../../../src/acp/capabilities';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { noQuirks, quirksOf, standardUpdate, wholePrompt } from '../../../src/acp/quirks';
import { readTraces } from '../../fakes/traces.mjs';

const chunk = (text: string, sessionUpdate = 'agent_message_chunk') =>
  decodeUpdate({ sessionUpdate, content: { type: 'text', text } }).value!;

/** Updates of a recorded session as the thread gets them. */
function recorded(agent: string, name: string) {
  const lines = readTraces(agent)
    .find((trace) => trace.name === name)!
    .lines.filter(({ dir }) => dir === '<')
    .map(({ msg }) => msg);
  const quirks = quirksOf(agentFeatures(lines.find(({ id }) => id === 0)!['result']));
  return lines.flatMap(({ params }) =>
    params?.update ? [standardUpdate(decodeUpdate(params.update).value!, quirks)] : [],
  );
}

describe('a mode that is told as text', () => {
  it('107 becomes a change of mode, as gemini 0.61.0 sends it', () => {
    const updates = recorded('gemini', 'modes');
    expect(updates.flatMap((update) => (update.type === 'mode' ? [update.modeId] : []))).toEqual([
      'autoEdit',
      'yolo',
      'plan',
    ]);
    expect(
      updates.flatMap((update) =>
        update.type === 'chunk' && update.content.type === 'text' ? [update.content.text] : [],
      ),
    ).toEqual(['word1 ', 'word2 ', 'word3 ']);
  });

  const quirks = { ...noQuirks, modeUpdateIsText: true };
  it.each([
    chunk('[MODE_UPDATE] plan and more'),
    chunk('Say [MODE_UPDATE] plan'),
    chunk('[MODE_UPDATE] plan\n'),
    chunk('[MODE_UPDATE] plan', 'user_message_chunk'),
    chunk('[MODE_UPDATE] plan', 'agent_thought_chunk'),
  ])('stays text in %j', (update) => expect(standardUpdate(update, quirks)).toBe(update));

  it('stays text for every other agent: its model could write that too', () => {
    const update = chunk('[MODE_UPDATE] plan');
    expect(standardUpdate(update, quirksOf(agentFeatures({ agentInfo: { name: 'other' } })))).toBe(update);
  });
});

describe('an image beside a file', () => {
  const text = { type: 'text', text: 'Look' } as const;
  const image = { type: 'image', data: 'aW1n', mimeType: 'image/png' } as const;
  const file = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
  const embedded = (type: string, data: string, mimeType: string, uri = `parley:/attached/${type}-2`) => ({
    type: 'resource',
    resource: { uri, blob: data, mimeType },
  });
  it.each([
    [
      'goes as a file to gemini-cli 0.61.0',
      'gemini-cli',
      [text, file, image],
      [text, file, embedded('image', 'aW1n', 'image/png')],
    ],
    [
      'goes under its own name',
      'gemini-cli',
      [text, file, { ...image, uri: 'file:///w/b.png' }],
      [text, file, embedded('image', 'aW1n', 'image/png', 'file:///w/b.png')],
    ],
    [
      'and so does a sound',
      'gemini-cli',
      [text, file, { type: 'audio', data: 'c25k', mimeType: 'audio/wav' } as const],
      [text, file, embedded('audio', 'c25k', 'audio/wav')],
    ],
    ['stays an image where there is no file', 'gemini-cli', [text, image], [text, image]],
    ['stays an image for every other agent', 'Codex', [text, file, image], [text, file, image]],
  ] as const)('%s', (_, name, prompt, sent) =>
    expect(wholePrompt([...prompt], quirksOf(agentFeatures({ agentInfo: { name } })))).toEqual(sent),
  );
});
