import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { handleListenerErrors } from '../../src/base/event';
import { silentLogger } from '../../src/base/log';
import { protectedPlaces } from '../../src/host/files/pathPolicy';
import { PermissionGate } from '../../src/host/permissions/permissionGate';
import type { PermissionRecord } from '../../src/host/permissions/permissionHistory';
import { decodeRules } from '../../src/permission/decodeRules';
import { nameOf, pendingPermissions } from '../../src/thread/permissionRequests';
import { replay } from '../../src/thread/replay';
import type { ThreadAction } from '../../src/thread/actions';
import { permissionView } from '../../src/view/projectPermission';
import { type Conversation, startConversation } from './conversation';
import { waitUntil } from './waitUntil';

/** A conversation in which these rules count, with what was recorded of the answers. */
async function withRules(
  rules: readonly object[],
  isTrusted = true,
  guards: () => readonly string[] = () => ['.env*'],
  cwd?: string,
): Promise<{ conversation: Conversation; records: PermissionRecord[]; actions: ThreadAction[] }> {
  const records: PermissionRecord[] = [];
  const actions: ThreadAction[] = [];
  let folder = '';
  const conversation = await startConversation({
    permit: (clock) => {
      const gate = new PermissionGate({
        scopes: (sessionId) => ({ sessionId, agent: 'Fake', cwd: cwd ?? folder, roots: [folder] }),
        guards,
        rules: { active: decodeRules(rules).rules, mayAllow: isTrusted },
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

/** A call that says something, a question about it, and updates of the call, one for each line that `when` gets. */
function swaps(
  conversation: Conversation,
  what: { readonly call?: object; readonly request: object; readonly updates?: readonly object[] },
): { readonly directive: string; readonly next: () => Promise<void> } {
  const when = path.join(conversation.link.folder, 'when');
  return { directive: `@@PERMISSIONSWAP ${JSON.stringify({ ...what, when })}`, next: () => appendFile(when, '\n') };
}

/** The same with the updates in one write with the question. */
function atOnce(what: {
  readonly call?: object;
  readonly request: object;
  readonly updates: readonly object[];
}): string {
  return `@@PERMISSIONSWAP ${JSON.stringify(what)}`;
}

const execute = (command: string) => ({ title: command, kind: 'execute', rawInput: { command } });

function asks(command: string, title = 'Run it'): string {
  return `@@PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: `call-${command.length}-${title}`, title, kind: 'execute', status: 'pending', rawInput: { command } } })}`;
}

describe('rules for permissions', () => {
  test('a rule allows nothing in a session that works outside of its folders, because the agent may have named that folder', async () => {
    const { conversation, records } = await withRules(
      [{ answer: 'allowOnce', command: 'npm test' }],
      true,
      undefined,
      '/',
    );
    const turn = conversation.session.prompt([{ type: 'text', text: asks('npm test') }]);
    await waitUntil('the request is shown', () => pendingPermissions(conversation.session.thread).length === 1);
    conversation.session.selectPermission(nameOf(pendingPermissions(conversation.session.thread)[0]!), 'allow');
    await turn;
    expect(records.map(({ by }) => by)).toEqual(['person']);
  });

  test('a rule allows no command that touches the settings of VS Code, whatever folder is open', async () => {
    const lines = [
      'cat data/User/settings.json',
      'cat data/User/../User/settings.json',
      'cp a data/User',
      'rm -r data',
      'ls .',
      'cat link',
      'cat a',
    ];
    const { conversation, records } = await withRules(lines.map((command) => ({ answer: 'allowOnce', command })));
    const { folder } = conversation.link;
    await mkdir(path.join(folder, 'data/User/globalStorage/parley'), { recursive: true });
    await writeFile(path.join(folder, 'data/User/settings.json'), '{}');
    await symlink(path.join(folder, 'data/User/settings.json'), path.join(folder, 'link'));
    protectedPlaces.protect({
      storage: [path.join(folder, 'data/User/globalStorage/parley')],
      extensions: [],
      program: '',
      home: '/nowhere',
      open: [],
    });
    onTestFinished(() =>
      protectedPlaces.protect({ storage: [], extensions: [], program: '', home: '/nowhere', open: [] }),
    );
    for (const line of lines.slice(0, -1)) {
      const turn = conversation.session.prompt([{ type: 'text', text: asks(line) }]);
      await waitUntil('the request is shown', () => pendingPermissions(conversation.session.thread).length === 1);
      const [asked] = pendingPermissions(conversation.session.thread);
      expect(
        asked?.assessment?.risks?.map(({ kind }) => kind),
        line,
      ).toContain('guarded');
      conversation.session.selectPermission(nameOf(asked!), 'reject');
      await turn;
    }
    await conversation.session.prompt([{ type: 'text', text: asks('cat a') }]);
    expect(records.map(({ what, by }) => [what, by])).toEqual(
      lines.map((line) => [line, line === 'cat a' ? 'rule' : 'person']),
    );
  });

  test('122 without a rule the user is asked, and told what it comes to', async () => {
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
    expect(records).toMatchObject([
      {
        by: 'person',
        answer: 'Allow once',
        allowed: true,
        agent: 'Fake',
        session: 'A session',
        what: 'cd /etc && rm -rf x; curl https://example.com',
      },
    ]);
  });

  test('122 a rule answers before anybody is asked, and stays to be seen on the call, also after a restart', async () => {
    const { conversation, records, actions } = await withRules([{ answer: 'allowOnce', command: 'npm test *' }]);
    let announced = 0;
    conversation.session.onDidAsk(() => announced++);
    await conversation.play(asks('npm test -- -u'));
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'allow' }]);
    expect(announced).toBe(0);
    expect(actions.some(({ type }) => type === 'permission/requested')).toBe(false);
    expect(conversation.toolCalls()).toMatchObject([
      { permissions: [], decision: { optionId: 'allow' }, decidedBy: ['npm test *'] },
    ]);
    expect([...replay(actions).entries].find(({ kind }) => kind === 'toolCall')).toMatchObject({
      decidedBy: ['npm test *'],
    });
    expect(records).toMatchObject([{ by: 'rule', rules: ['npm test *'], answer: 'Allow once' }]);
  });

  test('the history names the subagent that asked, whoever answers, also of a call that came with the request', async () => {
    const { conversation, records } = await withRules([{ answer: 'allowOnce', command: 'npm test *' }]);
    const task = `@@UPDATE ${JSON.stringify({ sessionUpdate: 'tool_call', toolCallId: 'task', title: 'Review the parser', kind: 'think', status: 'in_progress' })}`;
    const asked = (toolCallId: string, command: string) =>
      `@@PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId, ...execute(command), _meta: { claudeCode: { parentToolUseId: 'task' } } } })}`;
    await conversation.play(task, asked('a', 'npm test -- -u'));
    const turn = conversation.begin(asked('b', 'make'));
    const [requestId] = await conversation.questions();
    conversation.session.selectPermission(requestId!, 'reject');
    await turn;
    await conversation.play(asks('npm test -- lexer'));
    expect(records.map(({ by, subagent }) => [by, subagent])).toEqual([
      ['rule', 'Review the parser'],
      ['person', 'Review the parser'],
      ['rule', undefined],
    ]);
  });

  test('122 a rule rejects once', async () => {
    const { conversation } = await withRules([
      { answer: 'rejectOnce', command: 'git push *' },
      { answer: 'allowOnce', command: '*' },
    ]);
    await conversation.play(asks('git push --force'));
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject' }]);
  });

  test('122 a rule about a folder sees that one around it is deleted', async () => {
    const { conversation } = await withRules([
      { answer: 'rejectOnce', paths: ['secrets/**'] },
      { answer: 'allowOnce', command: '*' },
    ]);
    await mkdir(path.join(conversation.link.folder, 'secrets'));
    await mkdir(path.join(conversation.link.folder, 'build'));
    await conversation.play(asks('rm -rf .'), asks('rm -rf ..'), asks('rm -rf s*'), asks('rm -rf build'));
    expect(conversation.outcomes()).toEqual(
      ['reject', 'reject', 'reject', 'allow'].map((optionId) => ({ outcome: 'selected', optionId })),
    );
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
    await waitUntil('the second question', () =>
      conversation.session.thread.waiting.some(({ requestId }) => requestId !== first),
    );
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

describe('what a request asks for', () => {
  const waiting = (conversation: Conversation) => conversation.toolCalls().flatMap(({ permissions }) => permissions)[0];

  test('126 what the request says counts over its call, the difference is told, and no rule allows it', async () => {
    const { conversation, records } = await withRules([{ answer: 'allowOnce', command: '*' }]);
    const { directive } = swaps(conversation, {
      call: execute('npm test'),
      request: { ...execute('npm run lint'), title: 'npm test' },
    });
    const turn = conversation.begin(directive);
    const [requestId] = await conversation.questions();
    expect(waiting(conversation)!.subject).toMatchObject({
      command: { text: 'npm run lint' },
      contradictions: [{ about: 'command', earlier: 'npm test' }],
    });
    conversation.session.selectPermission(requestId!, 'reject');
    await turn;
    expect(records).toMatchObject([
      { what: 'npm run lint', kind: 'execute', before: ['npm test'], by: 'person', allowed: false },
    ]);
  });

  test('126 an update makes it another request: assessed again, not allowed by a rule, and deaf to the earlier answer', async () => {
    const { conversation, records } = await withRules([{ answer: 'allowOnce', command: 'npm run lint' }]);
    const { directive, next } = swaps(conversation, {
      request: execute('npm test'),
      updates: [execute('rm -rf ~/.ssh'), execute('npm run lint')],
    });
    const turn = conversation.begin(directive);
    const [requestId] = await conversation.questions();
    expect(waiting(conversation)!.assessment?.risks).toBeUndefined();
    await next();
    await waitUntil(
      'the change is assessed',
      () => waiting(conversation)!.changes === 1 && !waiting(conversation)!.isChecking,
    );
    expect(waiting(conversation)).toMatchObject({
      changedFrom: 'npm test',
      subject: { command: { text: 'rm -rf ~/.ssh' } },
      assessment: { risks: [{ kind: 'deletes' }, { kind: 'outside' }] },
    });
    const second = nameOf(waiting(conversation)!);
    await next();
    await waitUntil(
      'the second change is assessed',
      () => waiting(conversation)!.changes === 2 && !waiting(conversation)!.isChecking,
    );
    for (const old of [requestId!, second]) expect(conversation.session.selectPermission(old, 'allow')).toBe(false);
    expect(conversation.outcomes()).toEqual([]);
    expect(conversation.session.selectPermission(nameOf(waiting(conversation)!), 'allow')).toBe(true);
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'allow' }]);
    expect(records).toMatchObject([{ what: 'npm run lint', changes: 2, by: 'person', allowed: true }]);
    expect(conversation.toolCalls()[0]).toMatchObject({ decidedOn: 'npm run lint' });
  });

  test('126 a change that a rule rejects is rejected, and the record says so', async () => {
    const { conversation, records } = await withRules([{ answer: 'rejectOnce', command: 'git push *' }]);
    const { directive, next } = swaps(conversation, {
      request: execute('npm test'),
      updates: [execute('git push --force')],
    });
    const turn = conversation.begin(directive);
    await conversation.questions();
    await next();
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject' }]);
    expect(conversation.toolCalls()[0]).toMatchObject({ decidedBy: ['git push *'], decidedOn: 'git push --force' });
    expect(records).toMatchObject([{ what: 'git push --force', changes: 1, by: 'rule', rules: ['git push *'] }]);
  });

  test('126 an update in the moment of the request is no reason to allow what it does not say any more', async () => {
    const { conversation } = await withRules([{ answer: 'allowOnce', command: 'npm test' }]);
    const turn = conversation.begin(atOnce({ request: execute('npm test'), updates: [execute('rm -rf ~/.ssh')] }));
    await conversation.questions();
    await waitUntil('it is assessed', () => !waiting(conversation)!.isChecking);
    expect(conversation.outcomes()).toEqual([]);
    conversation.session.cancel();
    await turn;
  });

  test('126 an agent that changes it in a loop gets it cancelled, and the thread says why', async () => {
    const { conversation, records } = await withRules([]);
    const { directive, next } = swaps(conversation, {
      request: execute('echo 0'),
      updates: Array.from({ length: 200 }, (_, n) => execute(`echo ${n + 1}`)),
    });
    const turn = conversation.begin(directive);
    await conversation.questions();
    for (let line = 0; line < 200; line++) await next();
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(conversation.lines().filter((line) => line.startsWith('notice: '))).toEqual([
      expect.stringContaining('Permission request cancelled: the agent kept changing it'),
    ]);
    expect(records).toMatchObject([{ by: 'changes', answer: '', allowed: false }]);
  });

  test('126 a card of Parley’s own cannot be changed or asked about by the agent', async () => {
    const { conversation } = await withRules([]);
    const answer = conversation.session.ask(
      { title: 'Read outside the workspace: /etc/passwd', kind: 'read', locations: [{ path: '/etc/passwd' }] },
      [{ optionId: 'o', name: 'Allow once', kind: 'allow_once' }],
      { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
    );
    const { toolCallId } = conversation.toolCalls()[0]!;
    conversation.session.applyUpdate({
      type: 'toolCall',
      fields: { toolCallId, title: 'Read harmless.txt', locations: [{ path: 'harmless.txt' }] },
    });
    expect(waiting(conversation)).toMatchObject({
      revision: 0,
      subject: { title: 'Read outside the workspace: /etc/passwd' },
    });
    await conversation.play(
      `@@PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId, title: 'Read harmless.txt' } })}`,
    );
    expect(conversation.lines().join()).toContain('error -32602');
    conversation.session.detach();
    expect(await answer).toBeUndefined();
  });
});

describe('when something breaks', () => {
  test('122 a request that cannot be looked into is shown, and so are those after it', async () => {
    let breaks = true;
    const { conversation } = await withRules([{ answer: 'allowOnce', command: 'npm test' }], true, () => {
      if (breaks) throw new Error('no settings');
      return [];
    });
    const turn = conversation.begin(asks('npm test', 'First'), asks('npm test', 'Second'));
    // It is looked into once more, and says then that nothing could be found out.
    const unassessed = () => pendingPermissions(conversation.session.thread).find(({ isUnassessed }) => isUnassessed);
    await waitUntil('the question', unassessed);
    const first = unassessed()!;
    expect(permissionView(first, '/').risks?.map(({ text }) => text)).toEqual([
      'Parley could not check this request for risks.',
    ]);
    breaks = false;
    conversation.session.selectPermission(nameOf(first), 'reject');
    await turn;
    expect(conversation.outcomes()).toEqual(['reject', 'allow'].map((optionId) => ({ outcome: 'selected', optionId })));
  });

  test('122 a listener that throws takes no request away', async () => {
    const { conversation } = await withRules([]);
    const broken: unknown[] = [];
    const reporting = handleListenerErrors((error) => broken.push(error));
    onTestFinished(() => reporting.dispose());
    let throws = true;
    conversation.session.onDidChange(() => {
      if (throws) throw new Error('a listener');
    });
    conversation.session.onDidAsk(() => {
      throw new Error('another');
    });
    const turn = conversation.begin(asks('npm test', 'First'), asks('npm test', 'Second'));
    const [first] = await conversation.questions();
    conversation.session.selectPermission(first!, 'allow');
    await waitUntil('the second question', () =>
      conversation.session.thread.waiting.some(({ requestId }) => requestId !== first),
    );
    throws = false;
    conversation.session.selectPermission(conversation.session.thread.waiting[0]!.requestId, 'reject');
    await turn;
    expect(broken.length).toBeGreaterThan(0);
    expect(conversation.outcomes()).toEqual(['allow', 'reject'].map((optionId) => ({ outcome: 'selected', optionId })));
  });
});
