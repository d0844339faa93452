import { expect, it } from 'vitest';
import { handleListenerErrors } from '../../../src/base/event';
import { ScenarioPlayer } from './scenario';

it('a turn ends for all who wait for its end, also when a listener of its last action throws', async () => {
  const errors: unknown[] = [];
  const handler = handleListenerErrors((error) => errors.push(error));
  const player = new ScenarioPlayer();
  const ended: string[] = [];
  player.session.onDidAct(({ type }) => {
    if (type === 'turn/ended') throw new Error('broken');
  });
  player.session.onDidEndTurn(({ stopReason }) => ended.push(stopReason));
  await player.play({ prompt: 'one' });
  await player.play({ end: 'end_turn' });
  await player.play({ prompt: 'two' });
  await player.play({ end: 'end_turn' });
  handler.dispose();
  expect(ended).toEqual(['end_turn', 'end_turn']);
  expect(errors.map(String)).toEqual(['Error: broken', 'Error: broken']);
});
