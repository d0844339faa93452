import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import type { Attachment } from '../../../src/host/attachments/attachment';
import { type FileIntake, intakeOf } from '../../../src/host/attachments/attachedFile';
import { Attachments } from '../../../src/host/attachments/messageAttachments';
import { AttachmentStore } from '../../../src/host/attachments/attachmentStore';
import { changesContext } from '../../../src/host/attachments/changesContext';
import { DraftAttachments } from '../../../src/host/attachments/draftAttachments';
import { selectionContext } from '../../../src/host/attachments/editorContext';
import { problemsContext } from '../../../src/host/attachments/problemsContext';
import { TerminalCommands } from '../../../src/host/attachments/terminalCommands';
import { PromptBuilder } from '../../../src/host/sessions/promptBuilder';
import type { ToWebview } from '../../../src/protocol/messages';
import { NotSent } from '../../../src/thread/sessionLink';
import { emptyThread } from '../../../src/thread/thread';
import { searchLines } from '../../../src/host/files/textSearch';
import { Desk, until } from './desk';

const all = { image: true, audio: true, embeddedContext: true };
const none = { image: false, audio: false, embeddedContext: false };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('what is added to a message', () => {
  let desk: Desk;
  let store: AttachmentStore;
  beforeEach(() => {
    desk = new Desk();
    store = new AttachmentStore(desk.path('.store'), silentLogger);
  });
  afterEach(() => desk.clear());

  describe('a selection', () => {
    it('78: is the text in the editor, with its lines, saved or not', async () => {
      desk.put('a b.ts', 'one\ntwo\nthree\nfour\n');
      const editor = await desk.open('a b.ts');
      await desk.type(editor, 0, 'zero\n');
      editor.selection = new vscode.Selection(1, 0, 3, 0);
      const [made] = selectionContext(editor);
      assert.equal(made?.label, 'a b.ts:2-3');
      assert.equal(made?.content, 'one\ntwo\n');
      assert.equal(made?.uri, `${vscode.Uri.file(desk.path('a b.ts')).toString()}#L2-L3`);
      assert.match(made?.detail ?? '', /a b\.ts:2-3, with unsaved changes$/);
    });

    it('of several places is several; without any it is the line, as Copy does', async () => {
      desk.put('a.ts', 'one\ntwo\nthree\n');
      const editor = await desk.open('a.ts');
      editor.selections = [
        new vscode.Selection(0, 0, 0, 3),
        new vscode.Selection(1, 0, 1, 0),
        new vscode.Selection(2, 1, 2, 3),
      ];
      assert.deepEqual(
        selectionContext(editor).map(({ label, content }) => [label, content]),
        [
          ['a.ts:1', 'one'],
          ['a.ts:3', 'hr'],
        ],
      );
      editor.selection = new vscode.Selection(1, 2, 1, 2);
      assert.deepEqual(
        selectionContext(editor).map(({ label, content }) => [label, content]),
        [['a.ts:2', 'two']],
      );
    });

    it('of a document without a file is no link', async () => {
      const editor = await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument({ content: 'draft' }),
      );
      const [made] = selectionContext(editor);
      assert.equal(made?.linkable, false);
      assert.equal(made?.content, 'draft');
    });
  });

  it('problems are those that the editor shows, of one file or of all', () => {
    const collection = vscode.languages.createDiagnosticCollection('desk');
    try {
      const uri = vscode.Uri.file(desk.path('a.ts'));
      const diagnostic = new vscode.Diagnostic(
        new vscode.Range(2, 4, 2, 9),
        'Cannot find name x',
        vscode.DiagnosticSeverity.Error,
      );
      diagnostic.source = 'ts';
      diagnostic.code = { value: 2304, target: uri };
      collection.set(uri, [diagnostic]);
      collection.set(vscode.Uri.file(desk.path('b.ts')), [
        new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'unused', vscode.DiagnosticSeverity.Hint),
      ]);
      const one = problemsContext(uri);
      assert.equal(one?.label, 'Problems in a.ts');
      assert.equal(one?.content, `${vscode.workspace.asRelativePath(uri)}:3:5: error: Cannot find name x [ts 2304]\n`);
      assert.match(String(problemsContext()?.content), /a\.ts:3:5: error[^]*b\.ts:1:1: hint: unused/);
      assert.equal(problemsContext(vscode.Uri.file(desk.path('none.ts'))), undefined);
    } finally {
      collection.dispose();
    }
  });

  it('search results are the lines with a text, without those of ignored and protected files', async () => {
    desk.put('found.ts', 'const needleOfSearch = 1;\n\nNEEDLEOFSEARCH ends\n');
    desk.put('.gitignore', 'ignored.ts\n');
    for (const name of ['ignored.ts', 'key.pem', 'node_modules/a.js']) desk.put(name, 'needleofsearch\n');
    const at = vscode.workspace.asRelativePath(desk.path('found.ts'));
    const search = async (text: string) => searchLines(text, (path) => path.endsWith('.pem'));
    assert.deepEqual(await search('needleofsearch'), {
      lines: [`${at}:1:const needleOfSearch = 1;`, `${at}:3:NEEDLEOFSEARCH ends`],
      isCut: false,
    });
    // Case counts if the text has capital letters, and the text is no pattern.
    assert.deepEqual((await search('needleOfSearch'))?.lines, [`${at}:1:const needleOfSearch = 1;`]);
    assert.deepEqual((await search('needle.fSearch'))?.lines, []);
    for (const name of Array.from({ length: 12 }, (_, i) => `many${i}.ts`)) desk.put(name, 'needleofmany\n'.repeat(60));
    // A session in a worktree looks there, with paths relative to it.
    mkdirSync(join(desk.outside, 'inner'));
    writeFileSync(join(desk.outside, 'inner/found.ts'), 'const needleOfSearch = 2;\n');
    assert.deepEqual(await searchLines('needleofsearch', () => false, [desk.outside]), {
      lines: ['inner/found.ts:1:const needleOfSearch = 2;'],
      isCut: false,
    });
    const many = await search('needleofmany');
    assert.deepEqual([many?.lines.length, many?.isCut], [500, true]);
  });

  describe('changes', () => {
    const git = (...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false', ...args],
        { cwd: desk.folder, stdio: 'ignore' },
      );

    it('are what differs from the last commit, staged or not, and what git does not follow', async () => {
      desk.put('staged.txt', 'old\n');
      desk.put('plain.txt', 'old\n');
      desk.put('gone.txt', 'gone\n');
      git('init', '-q');
      git('add', '.');
      const near = [vscode.Uri.file(desk.path('plain.txt'))];
      assert.match(String(await changesContext(near, process.env)), /no commit yet/);
      git('commit', '-q', '-m', 'first');
      assert.equal(await changesContext(near, process.env), 'There are no changes since the last commit.');
      desk.put('staged.txt', 'staged\n');
      git('add', 'staged.txt');
      desk.put('plain.txt', 'changed\n');
      desk.put('new.txt', 'new\n');
      git('rm', '-q', 'gone.txt');
      const made = await changesContext(near, process.env);
      assert.ok(typeof made === 'object', String(made));
      assert.match(String(made.content), /\+staged/);
      assert.match(String(made.content), /-old\n\+changed/);
      assert.match(String(made.content), /-gone/);
      assert.match(String(made.content), /Untracked files:\n {2}new\.txt\n/);
      assert.match(made.detail, /^4 files changed/);
    });
  });

  it('the last command of a terminal comes with the end of its output, clean', async function () {
    const commands = new TerminalCommands();
    const terminal = vscode.window.createTerminal({ name: 'desk', shellPath: '/bin/bash', cwd: desk.folder });
    try {
      terminal.show(true);
      let integrated = true;
      await until('shell integration', () => terminal.shellIntegration !== undefined, 15_000).catch(
        () => (integrated = false),
      );
      if (!integrated) return this.skip();
      // VS Code may lose what a command prints that ends at once.
      terminal.shellIntegration!.executeCommand("sleep 0.3; printf '\\033[31mred\\033[0m\\n'; sleep 0.3; (exit 3)");
      await until('the end of the command', () => commands.latest()[0]?.exitCode === 3);
      // The end may be told before all output is.
      await until('its output', async () =>
        String((await commands.context(commands.latest()[0]!))?.content).includes('\nred'),
      );
      const made = await commands.context(commands.latest()[0]!);
      assert.match(String(made?.content), /^\$ sleep 0\.3; printf [^]*\nred\n\(exit code 3\)\n$/);
      assert.doesNotMatch(String(made?.content).split('\n').slice(1).join('\n'), /\u001b|\[31m/);
      assert.equal(made?.detail, 'From the terminal “desk”');
    } finally {
      terminal.dispose();
      commands.dispose();
    }
  });

  describe('the draft', () => {
    let posted: ToWebview[];
    let draft: DraftAttachments;
    let attachments: Attachments;
    let terminals: TerminalCommands;
    const said = () => posted.flatMap((message) => (message.type === 'composer/say' ? [message.text] : []));
    beforeEach(() => {
      posted = [];
      const values = new Map<string, unknown>();
      const state = {
        keys: () => [...values.keys()],
        get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
        update: async (key: string, value: unknown) => void values.set(key, value),
      };
      draft = new DraftAttachments({
        store,
        state: state as never,
        session: () => ({ id: 's', thread: emptyThread }),
        draftKey: () => 's',
        onDidSwitch: new Emitter<void>().event,
      });
      terminals = new TerminalCommands();
      attachments = new Attachments({
        store,
        draft,
        terminals,
        place: () => ({ cwd: desk.folder, roots: [desk.folder], worktree: undefined }),
        reveal: async () => undefined,
        deliver: (message) => posted.push(message),
        workspace: {
          isProtected: () => false,
          conversations: async () => ({ list: () => [], read: async () => undefined }),
        },
      });
    });
    afterEach(() => terminals.dispose());

    it('takes what was dropped, also from a window that is far away', async () => {
      desk.put('a.ts', 'a');
      desk.put('b.ts', 'b');
      await attachments.handle({
        type: 'attachment/addUris',
        uris: [
          vscode.Uri.file(desk.path('a.ts')).toString(),
          `vscode-remote://host${desk.path('b.ts')}`,
          'https://example.com/c.ts',
          'nonsense',
        ],
      });
      await attachments.handle({ type: 'attachment/addUris', uris: [vscode.Uri.file(desk.folder).toString()] });
      assert.deepEqual(
        draft.views.map(({ kind, label }) => `${kind} ${label}`),
        ['file a.ts', 'file b.ts', `folder ${desk.folder.split('/').at(-1)}/`],
      );
    });

    it('an image file is prepared by the panel and then kept; one that cannot be is a link', async () => {
      desk.put('a.png', png);
      await attachments.addUris([vscode.Uri.file(desk.path('a.png'))]);
      const [request] = posted;
      assert.ok(request?.type === 'image/prepare');
      assert.equal(request.data, png.toString('base64'));
      await attachments.handle({
        type: 'attachment/add',
        name: 'a.png',
        data: request.data,
        requestId: request.requestId,
        remark: '1 × 1',
      });
      await attachments.addUris([vscode.Uri.file(desk.path('a.png'))]);
      await attachments.handle({
        type: 'image/refused',
        requestId: request.requestId + 1,
        reason: 'a.png is damaged.',
      });
      assert.deepEqual(
        draft.views.map(({ kind, label, linkable }) => ({ kind, label, linkable })),
        [
          { kind: 'image', label: 'a.png', linkable: true },
          { kind: 'file', label: 'a.png', linkable: true },
        ],
      );
      assert.deepEqual(said(), ['a.png is damaged. Parley sends a link to the file.']);
    });

    it('what comes as data is what its bytes say, whatever the panel calls it', async () => {
      const add = (name: string, content: Buffer | string) =>
        attachments.handle({ type: 'attachment/add', name, data: Buffer.from(content).toString('base64') });
      await add('a.png', '<svg xmlns="http://www.w3.org/2000/svg"/>');
      await add('b.png', Buffer.from([0, 1, 2, 3]));
      await add('notes.png', '# Notes é');
      assert.deepEqual(
        draft.views.map(({ kind, label }) => `${kind} ${label}`),
        ['file notes.png'],
      );
      assert.equal(said().length, 2);
    });

    it('says in place why there is nothing to add', async () => {
      await attachments.addContext('selection');
      await attachments.addContext('terminal');
      assert.equal(said().length, 2);
      assert.deepEqual(draft.views, []);
    });
  });

  describe('a prompt', () => {
    const told: string[] = [];
    const session = {
      notify: ({ title, detail }: { title: string; detail?: string }) => void told.push(`${title} | ${detail}`),
    };
    const build = (attachments: readonly Attachment[], takes = all, text = '') =>
      new PromptBuilder(store).build({ text, mentions: [], attachments }, { agent: 'Desk', takes, session, roots: [] });
    beforeEach(() => void told.splice(0));

    it('77, 78: a mentioned and an attached file are embedded with their unsaved text, or linked', async () => {
      desk.put('a.ts', 'disk');
      desk.put('b.bin', Buffer.from([0, 1, 2, 0]));
      await desk.type(await desk.open('a.ts'), 0, 'unsaved ');
      const builder = new PromptBuilder(store);
      const mentions = [{ token: '@a.ts', path: desk.path('a.ts'), label: 'a.ts' }];
      const uri = vscode.Uri.file(desk.path('a.ts')).toString();
      const attachments = await Promise.all(
        ['a.ts', 'b.bin'].map((name) =>
          store.save({
            kind: 'file',
            label: name,
            detail: '',
            linkable: true,
            uri: vscode.Uri.file(desk.path(name)).toString(),
          }),
        ),
      );
      const draft = { text: '/do @a.ts now', mentions, attachments };
      const linkToB = { type: 'resource_link', uri: vscode.Uri.file(desk.path('b.bin')).toString(), name: 'b.bin' };
      assert.deepEqual(await builder.build(draft, { agent: 'Desk', takes: all, session, roots: [] }), [
        { type: 'text', text: '/do @a.ts' },
        { type: 'resource', resource: { uri, text: 'unsaved disk' } },
        { type: 'text', text: ' now' },
        { type: 'resource', resource: { uri, text: 'unsaved disk', mimeType: 'text/plain' } },
        linkToB,
      ]);
      assert.deepEqual(await builder.build(draft, { agent: 'Desk', takes: none, session, roots: [] }), [
        { type: 'text', text: '/do @a.ts' },
        { type: 'resource_link', uri, name: 'a.ts' },
        { type: 'text', text: ' now' },
        { type: 'resource_link', uri, name: 'a.ts' },
        linkToB,
      ]);
      assert.deepEqual(told, []);
    });

    it('a PDF is sent as its bytes and a link, up to a size, and only if it is one', async () => {
      const pdf = Buffer.from('%PDF-1.7\n\0\x80 content');
      desk.put('a.pdf', pdf);
      desk.put('text.pdf', Buffer.from([0, 1, 2, 0]));
      desk.put('large.pdf', Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]));
      const uriOf = (name: string) => vscode.Uri.file(desk.path(name)).toString();
      const linkTo = (name: string) => ({ type: 'resource_link', uri: uriOf(name), name });
      const link = { ...linkTo('a.pdf'), mimeType: 'application/pdf' };
      const blob = {
        type: 'resource',
        resource: { uri: uriOf('a.pdf'), blob: pdf.toString('base64'), mimeType: 'application/pdf' },
      };
      const names = ['a.pdf', 'text.pdf', 'large.pdf'];
      const draft = {
        text: names.map((name) => `@${name}`).join(' '),
        mentions: names.map((name) => ({ token: `@${name}`, path: desk.path(name), label: name })),
        attachments: [],
      };
      const builder = new PromptBuilder(store);
      const sent = async (takes: typeof all) =>
        (await builder.build(draft, { agent: 'Desk', takes, session, roots: [] })).filter(
          ({ type }) => type !== 'text',
        );
      assert.deepEqual(await sent(all), [blob, link, linkTo('text.pdf'), linkTo('large.pdf')]);
      assert.deepEqual(await sent(none), names.map(linkTo));
      const intakes = await Promise.all(names.map((name) => intakeOf(desk.path(name), name)));
      assert.deepEqual(
        intakes.map((intake) => intake.as === 'attachment' && [intake.attachment.mimeType, intake.remark]),
        [
          ['application/pdf', undefined],
          [undefined, undefined],
          [undefined, 'large.pdf is too large to send as a PDF (at most 5 MB encoded). Parley sends a link.'],
        ],
      );
      const attached = await Promise.all(
        intakes.map((intake) => store.save((intake as Extract<FileIntake, { as: 'attachment' }>).attachment)),
      );
      const { size } = attached[0]!;
      assert.deepEqual(await build([attached[0]!], all), [blob, link]);
      assert.deepEqual(await build([attached[0]!], none), [{ ...link, size }]);
      // The file is another one when the message goes.
      desk.put('a.pdf', Buffer.from([0, 1, 2, 0]));
      assert.deepEqual(await build([attached[0]!], all), [{ ...link, size }]);
    });

    it('75: what the agent does not take is left out, and the thread says so', async () => {
      const image = await store.save({
        kind: 'image',
        label: 'Pasted image',
        detail: '',
        linkable: false,
        uri: 'parley:/x',
        mimeType: 'image/png',
        content: png,
        fileName: 'x.png',
      });
      assert.deepEqual(await build([image], all), [
        { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
      ]);
      assert.deepEqual(await build([image], none, 'see'), [{ type: 'text', text: 'see' }]);
      assert.deepEqual(told, [
        'Not sent: Pasted image | Desk does not support images. Save the image as a file and add the file: it is sent as a link.',
      ]);
    });

    it('is never empty: it is not sent then', async () => {
      const image = await store.save({
        kind: 'image',
        label: 'Pasted image',
        detail: '',
        linkable: false,
        uri: 'parley:/x',
        mimeType: 'image/png',
        content: png,
        fileName: 'x.png',
      });
      await assert.rejects(build([image], none), NotSent);
      await store.delete(image.id);
      await assert.rejects(build([image], all), NotSent);
      await assert.rejects(build([], all, '  \n '), NotSent);
      assert.deepEqual(told, [
        'Not sent: Pasted image | Desk does not support images. Save the image as a file and add the file: it is sent as a link.',
        'Not sent: Pasted image | Its content is no longer available.',
      ]);
    });

    it('is known again after a reload, with what was attached', async () => {
      const builder = new PromptBuilder(store);
      const image = await store.save({
        kind: 'image',
        label: 'Pasted image',
        detail: '',
        linkable: false,
        uri: 'parley:/x',
        mimeType: 'image/png',
        content: png,
        fileName: 'x.png',
        preview: { mimeType: 'image/png', data: 'AAAA' },
      });
      const changes = await store.save({
        kind: 'changes',
        label: 'Changes',
        detail: '',
        linkable: false,
        uri: 'parley:/changes',
        content: '+a',
        fileName: 'changes.diff',
      });
      const draft = {
        text: 'see @a.ts',
        mentions: [{ token: '@a.ts', path: join(desk.folder, 'a.ts'), label: 'a.ts' }],
        attachments: [image, changes],
      };
      const shown = builder.shown(draft);
      assert.deepEqual(
        shown.map(({ type }) => type),
        ['text', 'resource_link', 'image', 'resource_link'],
      );
      const { reduce } = await import('../../../src/thread/reducer');
      const thread = reduce(
        emptyThread,
        JSON.parse(JSON.stringify({ type: 'turn/started', at: 1, turnId: 't', prompt: shown })),
      );
      assert.deepEqual(builder.lastOf(thread), draft);
    });
  });
});
