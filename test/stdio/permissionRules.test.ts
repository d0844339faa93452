import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/base/log';
import { PermissionGate } from '../../src/host/permissions/permissionGate';
import type { PermissionRecord } from '../../src/host/permissions/permissionHistory';
import { decodeRules } from '../../src/permission/decodeRules';
import { replay } from '../../src/thread/transcript';
import type { ThreadAction } from '../../src/thread/actions';
import { type Conversation, startConversation } from './conversation';
import { waitUntil } from './waitUntil';

/** A conversation in which these rules count, with what was recorded of the answers. */
async function withRules(rules: readonly object[], isTrusted = true): Promise<{ conversation: Conversation; records: PermissionRecord[]; actions: ThreadAction[] }> {
  const records: PermissionRecord[] = [];
  const actions: ThreadAction[] = [];
  let folder = '';
  const conversation = await startConversation({
    permit: (clock) => {
      const gate = new PermissionGate({
        scopes: (sessionId) => ({ sessionId, agent: 'Fake', cwd: folder, roots: [folder] }),
        guards: () => ['.env*'],
        rules: () => decodeRules(rules).rules,
        isTrusted: () => isTrusted,
        history: { add: (record) => void records.push(record) },
        titleOf: () => 'A session',
        clock,
        log: silentLogger,
      });
      return (session, params, token) => gate.request(session, params, token);
    },
  });
  folder = conversation.link.folder;
  conversation.session.onDidAct((action) => actions.push(action));
  return { conversation, records, actions };
}

function asks(command: string, title = 'Run it'): string {
  return `@@PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: `call-${command.length}-${title}`, title, kind: 'execute', status: 'pending', rawInput: { command } } })}`;
}

describe('rules for permissions', () => {
  test('122 without a rule the person is asked, and told what it comes to', async () => {
    const { conversation, records } = await withRules([]);
    const turn = conversation.begin(asks('cd /etc && rm -rf x; curl https://example.com'));
    const [requestId] = await conversation.questions();
    const [permission] = conversation.toolCalls()[0]!.permissions;
    expect(permission?.assessment).toMatchObject({
      steps: ['cd /etc', 'rm -rf x', 'curl https://example.com'],
      risks: [{ text: 'Deletes files' }, { text: 'Outside the workspace: /etc' }, { text: 'Uses the network (curl)' }],
    });
    expect(conversation.outcomes()).toEqual([]);
    conversation.session.selectPermission(requestId!, 'allow');
    await turn;
    expect(records).toMatchObject([{ by: 'person', answer: 'Allow once', allowed: true, agent: 'Fake', session: 'A session', what: 'cd /etc && rm -rf x; curl https://example.com' }]);
  });

  test('122 a rule answers before anybody is asked, and stays to be seen on the call, also after a restart', async () => {
    const { conversation, records, actions } = await withRules([{ answer: 'allowOnce', command: 'npm test *' }]);
    let announced = 0;
    conversation.session.onDidAsk(() => announced++);
    await conversation.play(asks('npm test -- -u'));
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'allow' }]);
    expect(announced).toBe(0);
    expect(actions.some(({ type }) => type === 'permission/requested')).toBe(false);
    expect(conversation.toolCalls()).toMatchObject([{ permissions: [], decision: { optionId: 'allow' }, decidedBy: ['npm test *'] }]);
    expect([...replay(actions).entries].find(({ kind }) => kind === 'toolCall')).toMatchObject({ decidedBy: ['npm test *'] });
    expect(records).toMatchObject([{ by: 'rule', rules: ['npm test *'], answer: 'Allow once' }]);
  });

  test('122 a rule rejects once', async () => {
    const { conversation } = await withRules([{ answer: 'rejectOnce', command: 'git push *' }, { answer: 'allowOnce', command: '*' }]);
    await conversation.play(asks('git push --force'));
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject' }]);
  });

  test('122 a rule about a folder sees that one around it is deleted', async () => {
    const { conversation } = await withRules([{ answer: 'rejectOnce', paths: ['secrets/**'] }, { answer: 'allowOnce', command: '*' }]);
    await mkdir(path.join(conversation.link.folder, 'secrets'));
    await mkdir(path.join(conversation.link.folder, 'build'));
    await conversation.play(asks('rm -rf .'), asks('rm -rf ..'), asks('rm -rf s*'), asks('rm -rf build'));
    expect(conversation.outcomes()).toEqual(['reject', 'reject', 'reject', 'allow'].map((optionId) => ({ outcome: 'selected', optionId })));
  });

  test.each([
    ['a guarded file', 'cat .env', true],
    ['what lies outside', 'cat /etc/passwd', true],
    ['what cannot be taken apart', 'echo "', true],
    ['anything in Restricted Mode', 'echo a', false],
  ])('122 no rule allows %s', async (_what, command, trusted) => {
    const { conversation, records } = await withRules([{ answer: 'allowOnce', command: '*' }], trusted);
    const turn = conversation.begin(asks(command));
    await conversation.questions();
    expect(conversation.outcomes()).toEqual([]);
    conversation.session.cancel();
    await turn;
    expect(records).toMatchObject([{ by: 'stop', answer: '', allowed: false }]);
  });

  test('131 what lasts is the agent’s to remember: nothing of it becomes a rule', async () => {
    const { conversation, records } = await withRules([]);
    const turn = conversation.begin(asks('npm test', 'First'), asks('npm test', 'Second'));
    const [first] = await conversation.questions();
    conversation.session.selectPermission(first!, 'always');
    await waitUntil('the second question', () => conversation.session.thread.waiting.some(({ requestId }) => requestId !== first));
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'always' }]);
    conversation.session.cancel();
    await turn;
    expect(records.map(({ by }) => by)).toEqual(['person', 'stop']);
  });

  test('a question that the agent withdraws while it is looked into is never shown', async () => {
    const { conversation, records } = await withRules([{ answer: 'allowOnce', kind: 'other' }]);
    await conversation.play('@@CANCELATONCE');
    expect(conversation.session.thread.waiting).toEqual([]);
    expect(records).toMatchObject([{ by: 'agent' }]);
  });
});
