import { describe, expect, it } from 'vitest';
import { NotificationThrottle, settleMs } from '../../../../src/host/attention/notificationThrottle';
import { FakeClock } from '../../../fakes/fakeClock';

function desk() {
  const clock = new FakeClock();
  const told: string[] = [];
  const news = new NotificationThrottle(clock);
  const offer = (key: string, holds: () => boolean = () => true) =>
    news.offer({ key, holds, tell: () => told.push(key) });
  return { clock, told, news, offer };
}

describe('NotificationThrottle', () => {
  it('tells after a moment', () => {
    const { clock, told, offer } = desk();
    offer('a');
    expect(told).toEqual([]);
    clock.advance(settleMs);
    expect(told).toEqual(['a']);
  });

  it('tells nothing of what was answered, withdrawn or seen meanwhile', () => {
    const { clock, told, offer } = desk();
    let waits = true;
    offer('a', () => waits);
    waits = false;
    clock.advance(settleMs);
    expect(told).toEqual([]);
  });

  it('tells one thing once, however often it is offered, until it is over', () => {
    const { clock, told, news, offer } = desk();
    for (let i = 0; i < 3; i++) {
      offer('a');
      offer('a');
      clock.advance(settleMs);
    }
    expect(told).toEqual(['a']);
    news.over('a');
    offer('a');
    clock.advance(settleMs);
    expect(told).toEqual(['a', 'a']);
  });

  it('tells a later thing of the same name that holds after one that did not', () => {
    const { clock, told, offer } = desk();
    offer('a', () => false);
    clock.advance(settleMs);
    offer('a');
    clock.advance(settleMs);
    expect(told).toEqual(['a']);
  });

  it('tells nothing once it is disposed', () => {
    const { clock, told, news, offer } = desk();
    offer('a');
    news.dispose();
    clock.advance(settleMs);
    expect(told).toEqual([]);
  });
});
