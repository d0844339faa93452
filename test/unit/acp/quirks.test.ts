import { describe, expect, it } from 'vitest';
import { agentFeatures } from '../../../src/acp/capabilities';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { noQuirks, quirksOf, standardUpdate } from '../../../src/acp/quirks';
import { readTraces } from '../../fakes/traces.mjs';

const chunk = (text: string, sessionUpdate = 'agent_message_chunk') => decodeUpdate({ sessionUpdate, content: { type: 'text', text } }).value!;

/** Updates of a recorded session as the thread gets them. */
function recorded(agent: string, name: string) {
  const lines = readTraces(agent).find((trace) => trace.name === name)!.lines.filter(({ dir }) => dir === '<').map(({ msg }) => msg);
  const quirks = quirksOf(agentFeatures(lines.find(({ id }) => id === 0)!['result']));
  return lines.flatMap(({ params }) => (params?.update ? [standardUpdate(decodeUpdate(params.update).value!, quirks)] : []));
}

describe('a mode that is told as text', () => {
  it('107 becomes a change of mode, as gemini 0.61.0 sends it', () => {
    const updates = recorded('gemini', 'modes');
    expect(updates.flatMap((update) => (update.type === 'mode' ? [update.modeId] : []))).toEqual(['autoEdit', 'yolo', 'plan']);
    expect(updates.flatMap((update) => (update.type === 'chunk' && update.content.type === 'text' ? [update.content.text] : []))).toEqual(['word1 ', 'word2 ', 'word3 ']);
  });

  const quirks = { ...noQuirks, modeUpdateIsText: true };
  it.each([chunk('[MODE_UPDATE] plan and more'), chunk('Say [MODE_UPDATE] plan'), chunk('[MODE_UPDATE] plan\n'), chunk('[MODE_UPDATE] plan', 'user_message_chunk'), chunk('[MODE_UPDATE] plan', 'agent_thought_chunk')])('stays text in %j', (update) =>
    expect(standardUpdate(update, quirks)).toBe(update),
  );

  it('stays text for every other agent: its model could write that too', () => {
    const update = chunk('[MODE_UPDATE] plan');
    expect(standardUpdate(update, quirksOf(agentFeatures({ agentInfo: { name: 'other' } })))).toBe(update);
  });
});
