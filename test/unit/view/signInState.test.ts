import { describe, expect, it } from 'vitest';
import { reduceSignIn, type SignInAction, startSignIn } from '../../../src/view/signInState';

const start = startSignIn({
  requestId: 's',
  methods: [
    { id: 'a', name: 'A', kind: 'agent' },
    { id: 't', name: 'T', kind: 'terminal' },
  ],
  reason: 'Please',
  needed: true,
});
const shown = { type: 'commandShown', methodId: 't', command: 'fake --login', folder: '/w', variables: [] } as const;
const tried = { type: 'methodTried', methodId: 'a', at: 5 } as const;
const run = { type: 'commandRun', at: 6 } as const;
const failed = { type: 'failed', problem: 'No' } as const;
const back = { type: 'wentBack' } as const;

/** The steps that the actions lead through, and what is wrong at the end. */
function path(...actions: SignInAction[]): string {
  const views = actions.reduce((list, action) => [...list, reduceSignIn(list.at(-1)!, action)], [start]);
  const { problem } = views.at(-1)!;
  return `${views.map(({ step }) => step.type).join(' ')}${problem ? ` (${problem})` : ''}`;
}

describe('the sign-in card', () => {
  it.each<[string, SignInAction[], string]>([
    ['tries a method', [tried], 'choose trying'],
    ['42: is back at the choice after a failure, and says why', [tried, failed], 'choose trying choose (No)'],
    ['42: says nothing of a failure while another try is made', [tried, failed, tried], 'choose trying choose trying'],
    ['49: is back at the choice when a try is called off', [tried, back], 'choose trying choose'],
    ['46: shows a command before it runs', [shown, run], 'choose confirm terminal'],
    ['46: runs no command that was not shown', [run], 'choose choose'],
    ['45: is back at the choice when the command fails', [shown, run, failed], 'choose confirm terminal choose (No)'],
    ['49: is back at the choice without having run anything', [shown, back, run], 'choose confirm choose choose'],
    [
      '40: knows no methods but those that are offered',
      [
        { ...tried, methodId: 'x' },
        { ...shown, methodId: 'x' },
      ],
      'choose choose choose',
    ],
    ['tries one method at a time', [shown, tried], 'choose confirm confirm'],
  ])('%s', (_, actions, expected) => expect(path(...actions)).toBe(expected));

  it('stays the same value where nothing changes, and keeps the reason', () => {
    expect(reduceSignIn(start, back)).toBe(start);
    expect(reduceSignIn(start, run)).toBe(start);
    expect(reduceSignIn(start, tried)).toMatchObject({ reason: 'Please', needed: true, step: { since: 5 } });
  });
});
