import type { Uri } from 'vscode';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { PermissionAnswers } from '../../../../src/host/panel/permissionAnswers';
import { nameOf } from '../../../../src/thread/permissionRequests';
import { FakeClock } from '../../../fakes/fakeClock';
import { resetVscode, told } from '../../../fakes/fakeVscode';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

/** A session in which one request with many options waits. */
function waiting(count: number) {
  const options = Array.from({ length: count }, (_, n) => ({
    optionId: `o${n}`,
    name: n === 1 ? '$(pass) Reject' : `Option ${n}`,
    kind: n === 1 ? 'allow_always' : 'reject_once',
  }));
  const permission = { requestId: 'r', revision: 0, subject: { title: 'Choose', options } };
  const selected: string[] = [];
  const thread = {
    waiting: [{ requestId: 'r', index: 0, at: 0 }],
    entries: { at: () => ({ kind: 'toolCall', permissions: [permission] }) },
  };
  const session = {
    session: { thread, selectPermission: (_: string, optionId: string) => selected.push(optionId) > 0 },
    queue: {},
  };
  const answers = new PermissionAnswers({
    sessions: { open: [session] },
    panels: { onDidChangeVisibility: () => ({ dispose() {} }) },
    clock: new FakeClock(),
    log: silentLogger,
  } as never);
  return { answers, selected, permission };
}

describe('all options of a request in a picker', () => {
  beforeEach(() => resetVscode());

  it('are what the card would say, and one is chosen', async () => {
    const { answers, selected } = waiting(5_000);
    await answers.showOptions('r');
    const { items } = told;
    expect(items).toHaveLength(5_000);
    // What its words claim is not what it does; and they become no icon.
    expect([items[1]!.label, items[1]!.detail]).toEqual(['Always allow', '$\u200b(pass) Reject']);
    expect(selected).toEqual([]);
    told.choose = (all) => all.find(({ label }) => label === 'Option 4999');
    await answers.showOptions('r');
    expect(selected).toEqual(['o4999']);
  });

  it('answer nothing once the agent has changed the request', async () => {
    const { answers, selected, permission } = waiting(3);
    told.choose = (all) => {
      permission.revision = 1;
      return all[2];
    };
    await answers.showOptions('r');
    expect([selected, told.messages]).toEqual([[], ['This request has changed or ended. Parley sent no answer.']]);
  });
});

/** A request that waits in the shown session, and what is done about it. @param more options that the agent offers */
function scene(more: readonly object[] = []) {
  const done: string[] = [];
  const { permission } = waiting(1);
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ...more,
  ];
  const request = { ...permission, subject: { title: 'Run', options } };
  const thread = {
    waiting: [{ requestId: 'r', index: 0, at: 0 }],
    entries: { at: () => ({ kind: 'toolCall', permissions: [request] }) },
  };
  const session = {
    id: 's',
    session: { thread, selectPermission: (_: string, optionId: string) => done.push(optionId) > 0 },
  };
  const view = { session };
  const clock = new FakeClock();
  clock.advance(10_000);
  const answers = new PermissionAnswers({
    sessions: { open: [session], views: { active: view, all: [view] }, openSession: async () => undefined },
    panels: {
      hasFocus: false,
      onDidChangeVisibility: () => ({ dispose() {} }),
      reveal: async (target: string) => done.push(target),
    },
    clock,
    log: silentLogger,
  } as never);
  return { answers, clock, done, view: view as never, name: nameOf(request as never) };
}

describe('a key that would answer', () => {
  beforeEach(() => resetVscode());

  it('answers what was read, a moment after that, as the card does', async () => {
    const { answers, clock, done, view, name } = scene();
    answers.handleShown(view, name, false);
    clock.advance(1_000);
    // Until then it leads to the card, which says what is to be done.
    await answers.allow();
    await answers.reject();
    expect(done).toEqual(['unread', 'unread']);
    answers.handleShown(view, name, true);
    clock.advance(399);
    await answers.allow();
    expect(done).toEqual(['unread', 'unread']);
    clock.advance(1);
    await answers.allow();
    expect(done).toEqual(['unread', 'unread', 'yes']);
  });

  it.each([
    ['always', 1, 'ever 1'],
    ['in the card, where the agent offers several ways', 2, 'question'],
  ])('allows %s, by a command of its own', async (_how, ways, expected) => {
    const more = [1, 2]
      .slice(0, ways)
      .map((n) => ({ optionId: `ever ${n}`, name: `Always ${n}`, kind: 'allow_always' }));
    const { answers, clock, done, view, name } = scene(more);
    answers.handleShown(view, name, true);
    clock.advance(400);
    await answers.allowAlways();
    expect(done).toEqual([expected]);
  });

  it('opens the panel and says what to do where none is shown', async () => {
    const { answers, done } = scene();
    await answers.allow();
    expect(done).toEqual(['unread']);
  });
});

describe('an answer in the title of a proposed diff', () => {
  beforeEach(() => resetVscode());
  const diff = { toString: () => 'parley-baseline:/w/a.ts?proposed-1' } as Uri;

  it.each([
    ['allow_once', 'yes'],
    ['reject_once', 'no'],
  ] as const)('%s answers its own request once that was read, and else leads to it', async (kind, answer) => {
    const { answers, done, view, name } = scene();
    answers.addDiff(diff, name);
    await answers.answerDiff(diff, kind);
    answers.handleShown(view, name, false);
    await answers.answerDiff(diff, kind);
    answers.handleShown(view, 'another', true);
    await answers.answerDiff(diff, kind);
    expect(done).toEqual(['unread', 'unread', 'unread']);
    answers.handleShown(view, name, true);
    await answers.answerDiff(diff, kind);
    expect(done.slice(3)).toEqual([answer]);
  });

  it('answers nothing for a request that has changed, or a document that is none of these', async () => {
    const { answers, done, view, name } = scene();
    answers.handleShown(view, name, true);
    answers.addDiff(diff, `${name}-before`);
    for (const document of [diff, undefined]) await answers.answerDiff(document, 'allow_once');
    expect([done, told.messages]).toEqual([
      [],
      Array(2).fill('This request has changed or ended. Parley sent no answer.'),
    ]);
  });
});
