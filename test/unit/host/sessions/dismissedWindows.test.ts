import { expect, it } from 'vitest';
import { DismissedWindows } from '../../../../src/host/sessions/dismissedWindows';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';

it('a window stays dismissed until its end, for one agent, also in the next window of VS Code', () => {
  const [state, clock] = [new MemoryState(), new FakeClock()];
  const dismissed = new DismissedWindows(state, clock);
  let changes = 0;
  dismissed.onDidChange(() => changes++);
  expect(dismissed.view('One')).toBeUndefined();
  const now = clock.now();
  dismissed.dismiss('One', '5-hour limit', now + 1_000);
  dismissed.dismiss('One', 'Weekly limit', undefined);
  const later = new DismissedWindows(state, clock);
  expect(later.view('One')).toEqual({ '5-hour limit': now + 1_000, 'Weekly limit': now + 5 * 3_600_000 });
  expect(later.view('One')).toBe(later.view('One'));
  expect(later.view('Two')).toBeUndefined();
  clock.advance(2_000);
  dismissed.dismiss('One', 'Weekly limit (Opus)', now + 9_000);
  expect(Object.keys(dismissed.view('One')!)).toEqual(['Weekly limit', 'Weekly limit (Opus)']);
  expect(changes).toBe(3);
});
