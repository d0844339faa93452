import { beforeEach, describe, expect, it, vi } from 'vitest';
import { showHistory } from '../../../../src/host/permissions/permissionViews';
import { PermissionHistory, type PermissionRecord } from '../../../../src/host/permissions/permissionHistory';
import { resetVscode, told } from '../../../fakes/fakeVscode';
import { MemoryState } from '../../../fakes/memoryState';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const record = (fields: Partial<PermissionRecord> = {}): PermissionRecord => ({
  at: Date.UTC(2026, 0, 2),
  agent: 'Demo',
  session: 'Fix it',
  what: 'npm test',
  answer: 'Allow once',
  allowed: true,
  by: 'person',
  ...fields,
});

describe('PermissionHistory', () => {
  let state: MemoryState;
  beforeEach(() => {
    resetVscode();
    state = new MemoryState();
  });

  it('keeps every answer, the newest last, over a restart', () => {
    const history = new PermissionHistory(state);
    history.add(record());
    history.add(record({ what: 'rm x', answer: 'Reject', allowed: false, by: 'rule', rules: ['rm *'] }));
    expect(new PermissionHistory(state).records).toEqual([
      record(),
      record({ what: 'rm x', answer: 'Reject', allowed: false, by: 'rule', rules: ['rm *'] }),
    ]);
  });

  it('forgets what was asked in a deleted session, also what an earlier version kept', () => {
    const history = new PermissionHistory(state);
    history.add(record({ what: 'of an earlier version' }));
    history.add(record({ what: 'of another agent', agent: 'Other' }));
    history.add(record({ what: 'of this', sessionId: 's' }));
    history.add(record({ what: 'of one with the same title', sessionId: 't' }));
    history.forget({ id: 's', agent: 'Demo', title: 'Fix it' });
    expect(history.records.map(({ what }) => what)).toEqual(['of another agent', 'of one with the same title']);
  });

  it('keeps the newest 500, and no text without end', () => {
    const history = new PermissionHistory(state);
    for (let i = 0; i < 510; i++) history.add(record({ what: `${i} ${'x'.repeat(5_000)}` }));
    expect(history.records).toHaveLength(500);
    expect(history.records[0]!.what.slice(0, 3)).toBe('10 ');
    expect(history.records[0]!.what).toHaveLength(1_000);
  });

  it('keeps no secret, neither of what was asked nor of the title', () => {
    const history = new PermissionHistory(state);
    history.add(
      record({ what: 'export TOKEN=ghp_abcdefghijklmnopqrstuvwx', session: 'Use ghp_abcdefghijklmnopqrstuvwx' }),
    );
    expect(JSON.stringify(history.records)).not.toContain('ghp_abcdefghijklmnopqrstuvwx');
  });

  it('keeps what the input said besides the command, and no secret in it', () => {
    const history = new PermissionHistory(state);
    history.add(
      record({
        further: ['shell: "./x/bash"', 'env: {"API_TOKEN":"ghp_abcdefghijklmnopqrstuvwx","PASSWORD":"hunter22"}'],
      }),
    );
    expect(history.records[0]!.further).toEqual(['shell: "./x/bash"', expect.not.stringMatching(/ghp_|hunter22/)]);
    showHistory(history.records);
    expect(told.picker?.items[0]?.detail).toContain('Also in the input: shell: "./x/bash"');
  });

  it('names the subagent that asked, as the card does, and keeps no secret in its name', () => {
    const history = new PermissionHistory(state);
    history.add(record({ subagent: 'Review with ghp_abcdefghijklmnopqrstuvwx' }));
    expect(history.records[0]!.subagent).not.toContain('ghp_');
    showHistory([record({ subagent: 'Review\nthe parser' })]);
    expect(told.picker?.items[0]?.detail).toContain('Demo (subagent “Review the parser”) · Fix it');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no list', { a: 1 }],
    [
      'what is no answer',
      [
        null,
        'x',
        { at: 'now' },
        { ...record(), at: 'now' },
        { ...record(), by: 1 },
        { ...record(), before: 'x' },
        { ...record(), rules: [1] },
        { ...record(), further: [1] },
        { ...record(), subagent: 1 },
      ],
    ],
  ])('reads %s as an empty list', (_what, stored) => {
    void state.update('parley.permissionHistory', stored);
    expect(new PermissionHistory(state).records).toEqual([]);
  });

  it('is listed with the newest first, and says who answered', () => {
    showHistory([
      record(),
      record({ what: 'npm\n  ci', by: 'rule', rules: ['npm *', 'ci'] }),
      record({ answer: 'Reject', allowed: false, what: 'rm x' }),
      ...(['stop', 'agent', 'end'] as const).map((by) => record({ by, answer: '', allowed: false })),
    ]);
    expect(told.picker?.items.map(({ label, description }) => [label, description])).toEqual([
      ['$(circle-slash) npm test', 'the agent stopped'],
      ['$(circle-slash) npm test', 'withdrawn by the agent'],
      ['$(circle-slash) npm test', 'withdrawn by Stop'],
      ['$(error) rm x', 'Reject, by you'],
      ['$(pass) npm ci', 'Allow once, by your rule “npm *”, “ci”'],
      ['$(pass) npm test', 'Allow once, by you'],
    ]);
    expect(told.picker?.items[0]?.detail).toContain('Demo · Fix it');
  });

  it('says what was unusual, and keeps no secret of what the call said before', () => {
    const history = new PermissionHistory(state);
    history.add(
      record({
        kind: 'execute',
        changes: 2,
        before: ['npm\n test ghp_abcdefghijklmnopqrstuvwx'],
        fromTitle: true,
        cwd: '/w',
        paths: ['/w/a'],
      }),
    );
    expect(JSON.stringify(history.records)).not.toContain('ghp_abcdefghijklmnopqrstuvwx');
    expect(history.records).toMatchObject([
      { kind: 'execute', changes: 2, fromTitle: true, cwd: '/w', paths: ['/w/a'] },
    ]);
    showHistory(history.records);
    expect(told.picker?.items[0]?.detail).toMatch(
      /Changed 2 times while it was pending · The tool call said: npm test .* · Command taken from the title only$/,
    );
  });

  it('text of an agent becomes no icon in the list', () => {
    showHistory([record({ what: '$(pass) allowed', answer: '$(pass) No', allowed: false })]);
    expect(told.picker?.items[0]?.label).not.toContain('$(pass)');
    expect(told.picker?.items[0]?.description).not.toContain('$(pass)');
  });

  it('is exported as JSON with readable times, from the button of the list', async () => {
    told.saveTo = { path: '/tmp/history.json' };
    showHistory([record()]);
    told.picker!.pressed.fire(told.picker!.buttons[0]);
    await vi.waitFor(() => expect(told.written).toHaveLength(1), 20_000);
    expect(told.asked).toMatchObject([{ defaultUri: { path: '/work/app/permission-history.json' } }]);
    expect(told.written[0]).toEqual({ path: '/tmp/history.json', text: expect.stringMatching(/\n$/) });
    expect(JSON.parse(told.written[0]!.text)).toEqual([{ ...record(), at: '2026-01-02T00:00:00.000Z' }]);
  });

  it('is written nowhere where the user chooses no file, and an empty one offers no export', async () => {
    showHistory([record()]);
    told.picker!.pressed.fire(told.picker!.buttons[0]);
    await vi.waitFor(() => expect(told.asked).toHaveLength(1), 20_000);
    expect(told.written).toEqual([]);
    showHistory([]);
    expect(told.picker).toMatchObject({ buttons: [], placeholder: 'No permission requests yet' });
  });
});
