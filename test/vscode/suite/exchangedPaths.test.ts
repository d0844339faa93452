import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { PromptBuilder } from '../../../src/host/sessions/promptBuilder';
import { intakeOf } from '../../../src/host/attachments/attachedFile';
import type { AttachmentStore } from '../../../src/host/attachments/attachmentStore';
import { Desk, errorOf } from './desk';

/** Exchanges the folder for a link to outside and back, for 0 to 29 ms each, as an agent's own process could. */
const exchanging = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [folder, outside] = process.argv.slice(1);
  const wait = (ms) => { const until = process.hrtime.bigint() + BigInt(ms * 1e6); while (process.hrtime.bigint() < until); };
  process.stdin.on('end', () => process.exit()).resume();
  const round = (i) => {
    try { renameSync(folder, folder + '.aside'); symlinkSync(outside, folder); } catch {}
    wait(i % 30);
    try { unlinkSync(folder); renameSync(folder + '.aside', folder); } catch {}
    wait((i * 7) % 30);
    setImmediate(round, i + 1);
  };
  console.log('begun');
  round(0);
`;

describe('a path that leads elsewhere a moment later', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
    mkdirSync(desk.path('sub'));
    for (const name of ['a.txt', 'b.txt']) {
      desk.put(`sub/${name}`, 'inside\n');
      writeFileSync(join(desk.outside, name), 'secret\n');
    }
  });
  afterEach(() => desk.clear());

  const outside = (name = 'a.txt') => readFileSync(join(desk.outside, name), 'utf8');
  const exchange = () => {
    renameSync(desk.path('sub'), desk.path('aside'));
    symlinkSync(desk.outside, desk.path('sub'));
  };
  const putBack = () => {
    unlinkSync(desk.path('sub'));
    renameSync(desk.path('aside'), desk.path('sub'));
  };

  for (const access of ['read', 'write'] as const) {
    it(`is refused where a link was turned while the request to ${access} waited`, async () => {
      const harmless = join(desk.outside, 'harmless-notes.txt');
      const key = join(desk.outside, 'a.txt');
      writeFileSync(harmless, 'notes\n');
      symlinkSync(harmless, desk.path('notes.txt'));
      desk.allowOutside = true;
      desk.beforeAnswer = () => {
        unlinkSync(desk.path('notes.txt'));
        symlinkSync(key, desk.path('notes.txt'));
      };
      const error = await errorOf(access === 'read' ? desk.read('notes.txt') : desk.write('notes.txt', 'agent\n'));
      assert.match(
        error.message,
        new RegExp(
          `notes\\.txt now points to a different file than when it was checked .*Nothing was ${access === 'read' ? 'read' : 'written'}`,
        ),
      );
      assert.deepEqual(
        [desk.asked, outside(), readFileSync(harmless, 'utf8'), desk.warned.length],
        [[`${access} ${harmless}`], 'secret\n', 'notes\n', 1],
      );
      desk.beforeAnswer = () => undefined;
      // What it leads to now is another question.
      await (access === 'read' ? desk.read('notes.txt') : desk.write('notes.txt', 'agent\n'));
      assert.deepEqual(desk.asked.slice(1), [`${access} ${key}`]);
    });
  }

  /** Runs `work` while another process exchanges the folder. */
  async function whileExchanged(work: () => Promise<void>): Promise<void> {
    const agent = spawn(process.execPath, ['-e', exchanging, desk.path('sub'), desk.outside], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => agent.once('exit', resolve));
    try {
      await new Promise((resolve) => agent.stdout.once('data', resolve));
      await work();
    } finally {
      agent.stdin.end();
      await ended;
    }
  }

  it('is not written where another process exchanges its folder again and again, nor read, nor created, nor undone', async function () {
    const rounds = Number(process.env['PARLEY_EXCHANGES'] ?? 60);
    this.timeout(300_000 + rounds * 500);
    await whileExchanged(async () => {
      const before = readdirSync(desk.outside).sort();
      const done = { written: 0, refused: 0 };
      for (let i = 0; i < rounds; i++) {
        const acts = [
          () => desk.write('sub/a.txt', `agent ${i}\n`),
          () => desk.write(`sub/new/${i}.txt`, 'agent\n'),
          async () => assert.notEqual(await desk.read('sub/a.txt'), 'secret\n'),
        ];
        if (i % 10 === 9) acts.push(() => desk.undoAll());
        for (const act of acts) {
          await act().then(
            () => done.written++,
            (error: Error) => {
              if (error instanceof assert.AssertionError) throw error;
              done.refused++;
            },
          );
        }
      }
      assert.deepEqual([outside(), readdirSync(desk.outside).sort()], ['secret\n', before]);
      assert.ok(done.refused > 0 && done.written > 0, JSON.stringify(done));
    });
  });

  it('is not written in an open document without a word, however its folder is exchanged', async function () {
    const rounds = Number(process.env['PARLEY_EXCHANGES'] ?? 8);
    this.timeout(300_000 + rounds * 4_000);
    await desk.open('sub/a.txt');
    await whileExchanged(async () => {
      for (let i = 0; i < rounds; i++) {
        const error = await desk.write('sub/a.txt', `agent ${i}\n`).then(
          () => undefined,
          (failed: Error) => failed,
        );
        assert.ok(error || outside() === 'secret\n', `write ${i} went outside without an error`);
        writeFileSync(join(desk.outside, 'a.txt'), 'secret\n');
      }
    });
  });

  it("is told of where VS Code saves an open document in that moment, and is not the agent's change", async () => {
    const editor = await desk.open('sub/a.txt');
    // After our last look and before VS Code opens the file.
    const participant = vscode.workspace.onWillSaveTextDocument(
      (event) => event.document === editor.document && event.waitUntil(Promise.resolve().then(exchange)),
    );
    let error: { message: string };
    try {
      error = await errorOf(desk.write('sub/a.txt', 'agent\n'));
    } finally {
      participant.dispose();
      putBack();
    }
    assert.match(
      error.message,
      /now points to a different file than when it was checked .*does not hold the saved text/,
    );
    assert.equal(desk.disk('sub/a.txt'), 'inside\n');
    assert.deepEqual([desk.changes(), desk.warned.length], [[], 1]);
  });

  it('is not undone where the folder was exchanged, whether text, binary file or a file to delete', async () => {
    await desk.write('sub/a.txt', 'agent\n');
    await desk.write('sub/made.txt', 'secret\n');
    writeFileSync(join(desk.outside, 'a.txt'), 'agent\n');
    writeFileSync(join(desk.outside, 'made.txt'), 'secret\n');
    exchange();
    await desk.undoAll();
    assert.deepEqual([outside(), outside('made.txt')], ['agent\n', 'secret\n']);
    assert.match(desk.reported.join('\n'), /a\.txt: .*sub is a link now/);
    putBack();
    await desk.undoAll();
    assert.deepEqual([desk.disk('sub/a.txt'), desk.exists('sub/made.txt')], ['inside\n', false]);
  });

  it("is one file by whatever name it is asked for, and the document that is open by a link's name is used", async () => {
    symlinkSync(desk.path('sub'), desk.path('alias'));
    const editor = await desk.open('alias/a.txt');
    await desk.type(editor, 0, 'mine\n');
    assert.equal(await desk.read('sub/a.txt'), 'mine\ninside\n');
    await desk.write('sub/a.txt', 'mine\ninside\nagent\n');
    assert.deepEqual(
      [editor.document.getText(), editor.document.isDirty, desk.disk('sub/a.txt')],
      ['mine\ninside\nagent\n', false, 'mine\ninside\nagent\n'],
    );
    await desk.write('alias/b.txt', 'agent\n');
    assert.deepEqual(desk.changes().sort(), ['modified sub/a.txt +1 -0', 'modified sub/b.txt +1 -1']);
  });

  it('goes into a prompt as a link, without content, once it leads elsewhere', async () => {
    const takes = { image: true, audio: true, embeddedContext: true };
    const build = async (attached: string) => {
      const intake = await intakeOf(desk.path(attached), attached);
      assert.ok(intake.as === 'attachment');
      const { attachment } = intake;
      return async () => {
        const draft = {
          text: 'see',
          mentions: [{ token: '@sub/a.txt', path: desk.path('sub/a.txt'), label: 'sub/a.txt' }],
          attachments: [{ ...attachment, id: 'x' }],
        };
        const blocks = await new PromptBuilder({} as AttachmentStore).build(
          draft as never,
          { agent: 'Desk', takes, session: { notify: () => undefined }, roots: [] } as never,
        );
        return blocks.map((block) => (block.type === 'resource' ? JSON.stringify(block.resource) : block.type));
      };
    };
    const sent = await build('sub/b.txt');
    assert.equal((await sent()).filter((block) => block.includes('inside')).length, 2);
    exchange();
    assert.deepEqual((await sent()).sort(), ['resource_link', 'resource_link', 'text']);
    putBack();
    rmSync(desk.path('sub/b.txt'));
    assert.equal(statSync(join(desk.outside, 'b.txt')).size, 7);
  });
});
