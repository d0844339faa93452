import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { messagesOf, readWireLog } from '../../fakes/wireLog';
import { until } from '../../launch/poll.mjs';
import { removeFolder, root, sampleWorkspace, temporaryFolder } from '../../launch/project.mjs';
import { RemoteMachine, whyNoRemote } from '../../launch/remoteMachine.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test as base, type Window } from './harness';
import { packageFor, runsCommand } from './packaged';

/* VS Code's server on a machine behind SSH, in the home of a user who has just VS Code and Parley. */

const agentName = 'Remote Agent';

interface Remote {
  readonly machine: RemoteMachine;
  readonly window: Window;
  readonly chat: Chat;
  /** The workspace there. */
  readonly folder: string;
}

const test = base.extend<{ machine: RemoteMachine }>({
  machine: async ({ skip }, use) => {
    const why = await whyNoRemote();
    if (why !== undefined) {
      console.log(`Not run: it needs a user and an sshd of its own, but ${why}.`);
      skip(why);
    }
    const machine = await RemoteMachine.start();
    try {
      await use(machine);
    } finally {
      await machine.stop();
    }
  },
});

test('behind SSH: turns as a bare user without Node.js, also when the connection is cut', async ({
  machine,
  openWindow,
}) => {
  const packages = temporaryFolder('vsix');
  try {
    const folder = join(machine.home, 'work');
    const wire = join(machine.home, 'wire.ndjson');
    await machine.upload(sampleWorkspace, folder);
    const server = await machine.serve(await packageFor(`${process.platform}-${process.arch}`, packages), {
      // Longer than a cut of this test, and short enough to wait for.
      graceSeconds: 60,
      settings: {
        'parley.agents': { [agentName]: { command: 'remote-agent', env: { FAKE_AGENT_LOG: wire } } },
      },
    });
    await installAgent(machine);
    expect((await machine.run('command -v node npm || echo none')).trim()).toBe('none');

    const window = await openWindow({ server, folder });
    const remote = { machine, window, chat: new Chat(await window.openChat()), folder };
    await demoAgent(remote);
    const agent = new FakeAgent(wire);
    await ownAgent(remote);
    await cutWithinTurn(remote, agent, wire);
    await lostWithinTurn(remote);

    await window.close();
    // VS Code's server is still there: only its window has ended, and with it the agents.
    await until('the agents to end', () => !machine.processes().some(({ command }) => /[aA]gent\.m?js/.test(command)));
    agent.check();
  } finally {
    removeFolder(packages);
  }
});

/** An agent of the user's own, which is only on the PATH of the login shell. */
async function installAgent(machine: RemoteMachine): Promise<void> {
  await machine.upload(join(root, 'test/fakes'), 'fakes', { names: ['fakeAgent.mjs', 'agent'] });
  const program = `#!/bin/sh\nexec ${machine.dataDir}/bin/node ${machine.home}/fakes/fakeAgent.mjs\n`;
  await machine.write('tools/remote-agent', program, '755');
}

/** A command in a terminal, and an edit that is undone. */
async function demoAgent({ machine, window, chat, folder }: Remote): Promise<void> {
  await runsCommand(chat);
  expect(await chat.log.getByText('No pseudo-terminal').count()).toBe(0);
  const [demo] = programsOf(machine, 'demoAgent.js');
  expect(machine.isBehind(demo!.pid)).toBe(true);

  const file = join(folder, 'src/tokenizer.ts');
  const before = readFileSync(file, 'utf8');
  await chat.send('/edit');
  await chat.answer(/^Permission: Edit src\/tokenizer\.ts$/, 'Allow once');
  await chat.idle();
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  expect(statSync(file).uid).toBe(machine.uid);
  await chat.button('Undo').last().click();
  await window.workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
  await until('the file as it was', () => readFileSync(file, 'utf8') === before);
  expect(statSync(file).uid).toBe(machine.uid);
}

/** The own agent is found, its commands have the user's PATH, and its files the user's rights. */
async function ownAgent({ machine, window, chat, folder }: Remote): Promise<void> {
  const made = join(folder, 'made/by-agent.txt');
  const foreign = join(folder, 'foreign');
  mkdirSync(foreign);
  await window.workbench.palette('Parley: Select Agent');
  await window.workbench.pick(agentName);
  // Until then the box is that of the session before.
  await chat.button(`Agent: ${agentName}`).waitFor();
  await chat.send(
    [
      '%%TERMINAL echo "$(id -un) has $PATH"',
      `%%WRITE ${made} ${Buffer.from('made there\n').toString('base64')}`,
      `%%WRITE ${join(foreign, 'new.txt')} ${Buffer.from('no\n').toString('base64')}`,
    ].join('\n'),
  );
  await chat.sees(`${machine.user} has ${machine.tools}:`);
  await chat.sees(/\[WRITE error/);
  await chat.idle();
  const [own] = programsOf(machine, 'fakeAgent.mjs');
  expect(machine.isBehind(own!.pid)).toBe(true);
  expect(readFileSync(made, 'utf8')).toBe('made there\n');
  for (const path of [made, join(folder, 'made')]) expect(statSync(path).uid).toBe(machine.uid);
  // It belongs to root.
  expect(readdirSync(foreign)).toEqual([]);
}

/** The agent goes on while nobody is connected; then all is there, once. */
async function cutWithinTurn({ machine, window, chat }: Remote, agent: FakeAgent, wire: string): Promise<void> {
  const go = join(machine.home, 'go');
  const earlier = agent.received('session/prompt').length;
  const asked = () =>
    messagesOf(readWireLog(wire), '<').filter(({ method }) => method === 'session/request_permission');
  const answered = () => agent.received().flatMap(({ result }) => result?.outcome?.optionId ?? []);
  const { page } = window.workbench;
  const cut = async () => {
    await machine.cutTunnel();
    await page
      .getByText(/^Attempting to reconnect/)
      .first()
      .waitFor();
  };
  const answer = ['Before the cut.', 'While nobody looked.', 'After it.'] as const;

  await chat.send(
    [`%%SAY ${answer[0]}`, `%%AWAIT ${go}`, `%%SAY ${answer[1]}`, '%%PERMISSION Go on', `%%SAY ${answer[2]}`].join(
      '\n',
    ),
  );
  await chat.sees(answer[0]);
  await cut();
  writeFileSync(go, '');
  await until('the request of the agent', () => asked().length === 1);
  const card = chat.permission(/Go on/).and(chat.frame.locator('[data-question]'));
  expect(await card.count()).toBe(0);
  await machine.resumeTunnel();
  await chat.sees(answer[1]);
  await card.waitFor();

  // The answer, too, arrives when the connection is back. VS Code's dialog is over the window until then.
  await cut();
  const allow = card.getByRole('button', { name: 'Allow once', exact: true });
  await until('a click beside the dialog', async () => {
    await page
      .getByRole('button', { name: 'Dismiss' })
      .click({ timeout: 1_000 })
      .catch(() => undefined);
    return allow.click({ timeout: 1_000 }).then(
      () => true,
      () => false,
    );
  });
  expect(answered()).toEqual([]);
  await machine.resumeTunnel();
  await chat.sees(answer[2]);
  await chat.idle();
  expect(answered()).toEqual(['allow']);
  expect(asked()).toHaveLength(1);
  expect(agent.received('session/prompt')).toHaveLength(earlier + 1);
  const said = (await chat.log.locator('.agent-message').allInnerTexts()).join('\n');
  for (const text of answer) expect(said.split(text)).toHaveLength(2);
}

/**
 * A window that never comes back: its turn goes on until VS Code gives up its extension host. The next start of a window
 * of the folder has its session.
 */
async function lostWithinTurn({ machine, window, chat, folder }: Remote): Promise<void> {
  const { workbench, server } = window;
  const go = join(machine.home, 'gone');
  const [lost] = programsOf(machine, '--type=extensionHost');
  const isOver = () => !programsOf(machine, '--type=extensionHost').some(({ pid }) => pid === lost!.pid);
  await workbench.palette('Parley: New Session');
  await chat.send(`%%SAY Before it was lost.\n%%AWAIT ${go}\n%%SAY To nobody.`);
  await chat.sees('Before it was lost.');
  await machine.cutTunnel();
  await workbench.page.goto('about:blank');
  writeFileSync(go, '');
  await machine.resumeTunnel();
  await workbench.page.goto(server.url({ folder }));
  await workbench.ready();
  await workbench.openChat();
  expect(isOver()).toBe(false);

  await until('VS Code to give up the lost window', isOver);
  await workbench.reload();
  const next = new Chat(await workbench.openChat());
  await next.sees('Before it was lost.To nobody.');
  await workbench.statusBarItem(/^1 change to review/).waitFor();
}

/** @param name a part of their commands */
function programsOf(machine: RemoteMachine, name: string): { readonly pid: number }[] {
  return machine.processes().filter(({ command }) => command.includes(name));
}
