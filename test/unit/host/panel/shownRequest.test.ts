import { describe, expect, it, vi } from 'vitest';
import { shownNext } from '../../../../src/host/panel/permissionAnswers';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

describe('since when a question can be answered by a key', () => {
  it.each<[string, Parameters<typeof shownNext>[0], string | undefined, boolean, number | undefined]>([
    ['from now on when it appears', undefined, 'a', true, 9],
    ['from now on when another one was there', { requestId: 'b', read: true, since: 1 }, 'a', true, 9],
    ['as before while it stays', { requestId: 'a', read: true, since: 1 }, 'a', true, 1],
    [
      'as before when a line that tells all becomes a card, or a card such a line',
      { requestId: 'a', read: true, since: 1 },
      'a',
      false,
      1,
    ],
    ['as before while its line does not tell it in full', { requestId: 'a', read: false, since: 1 }, 'a', false, 1],
    ['from now on when such a line becomes the card', { requestId: 'a', read: false, since: 1 }, 'a', true, 9],
    ['not when none is there', { requestId: 'a', read: true, since: 1 }, undefined, false, undefined],
  ])('%s', (_name, before, requestId, read, since) => expect(shownNext(before, requestId, read, 9)?.since).toBe(since));
});
