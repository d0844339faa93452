import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { PermissionAnswers } from '../../../../src/host/panel/permissionAnswers';
import { FakeClock } from '../../../fakes/fakeClock';
import { resetVscode, told } from '../../../fakes/fakeVscode';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

/** A session in which one request with many options waits. */
function waiting(count: number) {
  const options = Array.from({ length: count }, (_, n) => ({ optionId: `o${n}`, name: n === 1 ? '$(pass) Reject' : `Option ${n}`, kind: n === 1 ? 'allow_always' : 'reject_once' }));
  const permission = { requestId: 'r', revision: 0, subject: { title: 'Choose', options } };
  const selected: string[] = [];
  const thread = { waiting: [{ requestId: 'r', index: 0, at: 0 }], entries: { at: () => ({ kind: 'toolCall', permissions: [permission] }) } };
  const session = { session: { thread, selectPermission: (_: string, optionId: string) => selected.push(optionId) > 0 }, queue: {} };
  const answers = new PermissionAnswers({ sessions: { open: [session] }, panels: { onDidChangeVisibility: () => ({ dispose() {} }) }, clock: new FakeClock(), log: silentLogger } as never);
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
    expect([selected, told.messages]).toEqual([[], ['This request has changed or ended. No answer was sent.']]);
  });
});
