import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import { shownBlock } from '../../../../src/host/attachments/promptBlocks';
import { AttachmentStore } from '../../../../src/host/attachments/attachmentStore';
import { DraftAttachments } from '../../../../src/host/attachments/draftAttachments';
import { draftKey } from '../../../../src/host/sessions/chatViews';
import { intakeOf } from '../../../../src/host/attachments/attachedFile';
import { Emitter } from '../../../../src/base/event';
import { emptyThread, type Thread } from '../../../../src/thread/thread';
import { reduce } from '../../../../src/thread/reducer';
import { maxAttachments } from '../../../../src/protocol/attachments';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const image: NewAttachment = {
  kind: 'image',
  label: 'Pasted image',
  detail: '',
  linkable: false,
  uri: 'parley:/attached/x',
  mimeType: 'image/png',
  content: png,
  fileName: 'Pasted image.png',
};
const file = (name: string): NewAttachment => ({
  kind: 'file',
  label: name,
  detail: name,
  linkable: true,
  uri: `file:///${name}`,
});

let folder: string;
let store: AttachmentStore;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-attachments-'));
  store = new AttachmentStore(path.join(folder, 'store'), silentLogger);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('kept attachments', () => {
  it('come back with their content, under a name that a user knows', async () => {
    const saved = await store.save(image);
    expect(saved).toMatchObject({ label: 'Pasted image', stored: 'Pasted image.png', size: 8 });
    const [loaded] = store.load([saved.id]);
    expect(loaded).toEqual(saved);
    expect(await store.content(loaded!)).toBe(png.toString('base64'));
    expect(readFileSync(store.fileOf(loaded!)!)).toEqual(png);
    expect(store.holds(store.fileOf(loaded!)!)).toBe(true);
    expect(store.uriOf(loaded!)).toMatch(/^file:.*Pasted%20image\.png$/);
  });

  it.each(['Attachment.JSON', 'NUL', 'con.txt', 'aux .h', 'COM1'])(
    'no name is that of something else: %s',
    async (name) => {
      const saved = await store.save({ ...image, fileName: name });
      expect(saved.stored).toBe(`_${name}`);
    },
  );

  it('no name and no id leads out of the folder', async () => {
    for (const fileName of ['../../evil', '..', '/etc/passwd', 'attachment.json', 'a:b*c?', '']) {
      const saved = await store.save({ ...image, fileName });
      expect(path.dirname(store.fileOf(saved)!), fileName).toBe(path.join(folder, 'store', saved.id));
      expect(store.load([saved.id])).toEqual([saved]);
    }
    mkdirSync(path.join(folder, 'secret'));
    writeFileSync(path.join(folder, 'secret/attachment.json'), '{}');
    expect(store.load(['../secret', '..', ''])).toEqual([]);
    await store.delete('../secret');
    expect(readdirSync(path.join(folder, 'secret'))).toHaveLength(1);
    expect(store.holds(path.join(folder, 'store/../secret/x'))).toBe(false);
  });

  it('what is gone or broken is left out', async () => {
    const saved = await store.save(image);
    writeFileSync(path.join(folder, 'store', saved.id, 'attachment.json'), '{"id":');
    expect(store.load([saved.id, 'ffffffff-0000-0000-0000-000000000000'])).toEqual([]);
    expect(await store.content({ ...saved, stored: 'gone.png' })).toBeUndefined();
  });

  it('what is old and in no draft is swept', async () => {
    const [old, drafted, fresh] = [await store.save(image), await store.save(image), await store.save(image)];
    for (const { id } of [old, drafted]) utimesSync(path.join(folder, 'store', id), 1_000, 1_000);
    await store.sweep(Date.now(), new Set([drafted.id]));
    expect(store.load([old.id, drafted.id, fresh.id])).toEqual([drafted, fresh]);
  });
});

describe('attachments of a draft', () => {
  const values = new Map<string, unknown>();
  const state = {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: (key: string, value: unknown) =>
      Promise.resolve(void (value === undefined ? values.delete(key) : values.set(key, value))),
  };
  let session: { id: string; thread: Thread };
  let switched: Emitter<void>;
  let draft: DraftAttachments;
  const make = () =>
    new DraftAttachments({
      store,
      state: state as never,
      session: () => session,
      draftKey: () => draftKey(session),
      onDidSwitch: switched.event,
    });
  const labels = (list = draft) => list.views.map(({ label }) => label);
  const asked = reduce(emptyThread, {
    type: 'turn/started',
    at: 1,
    turnId: 't',
    prompt: [{ type: 'text', text: 'x' }],
  });

  beforeEach(() => {
    values.clear();
    session = { id: 's1', thread: emptyThread };
    switched = new Emitter();
    draft = make();
  });

  it('outlive a reload, each session its own', async () => {
    await draft.add(image);
    await draft.add(file('a.ts'));
    expect(labels(make())).toEqual(['Pasted image', 'a.ts']);
    session = { id: 's2', thread: asked };
    switched.fire();
    expect(labels()).toEqual([]);
    await draft.add(file('b.ts'));
    session = { id: 's1', thread: emptyThread };
    switched.fire();
    expect(labels()).toEqual(['Pasted image', 'a.ts']);
    expect(draft.kept().size).toBe(3);
    await draft.forget('s2');
    expect(draft.kept().size).toBe(2);
  });

  it('make room for those of an earlier prompt that is edited, also over a reload, and come back', async () => {
    await draft.add(file('mine.ts'));
    await draft.add(image);
    const sent = draft.take([draft.views[1]!.id]);
    const parts = sent.map((item) => shownBlock(item, store.uriOf(item)));
    session = {
      ...session,
      thread: reduce(emptyThread, { type: 'turn/started', at: 1, turnId: 't', prompt: parts as never }),
    };
    draft.setAside(sent);
    expect(labels()).toEqual(['Pasted image']);
    draft.setAside([]);
    draft.setAside(sent);
    expect(labels(make())).toEqual(['Pasted image']);
    expect(draft.kept().size).toBe(2);
    // What the conversation shows is not deleted with the chip.
    await draft.remove(sent[0]!.id);
    expect(store.load([sent[0]!.id])).toHaveLength(1);
    draft.bringBack();
    expect(labels()).toEqual(['mine.ts']);
    expect(labels(make())).toEqual(['mine.ts']);
    draft.bringBack();
    expect(labels()).toEqual(['mine.ts']);
  });

  it('leave the box with a prompt that is in the conversation again; what the user added since stays', async () => {
    await draft.add(image);
    const sent = draft.take(draft.views.map(({ id }) => id));
    draft.putBack(sent);
    await draft.add(file('mine.ts'));
    draft.removeSent();
    expect(labels()).toEqual(['Pasted image', 'mine.ts']);
    session = {
      ...session,
      thread: reduce(emptyThread, {
        type: 'turn/started',
        at: 1,
        turnId: 't',
        prompt: sent.map((item) => shownBlock(item, store.uriOf(item))) as never,
      }),
    };
    draft.removeSent();
    expect(labels()).toEqual(['mine.ts']);
    expect(store.load([sent[0]!.id])).toHaveLength(1);
  });

  it('stay with the draft when the thread gets its first entry', async () => {
    await draft.add(file('a.ts'));
    session = { ...session, thread: asked };
    await draft.add(file('b.ts'));
    expect(labels(make())).toEqual(['a.ts', 'b.ts']);
    session = { id: 's2', thread: emptyThread };
    expect(labels(make())).toEqual([]);
  });

  it('all come that are added while the first prompt is sent', async () => {
    const adding = [draft.add(image), draft.add(image)];
    session = { ...session, thread: asked };
    await Promise.all(adding);
    expect(draft.views).toHaveLength(2);
    expect(make().views).toHaveLength(2);
  });

  it('a file is attached once, pasted images are told apart, and there is a limit', async () => {
    await draft.add(file('a.ts'));
    await draft.add(file('a.ts'));
    await draft.add(image);
    await draft.add(image);
    expect(labels()).toEqual(['a.ts', 'Pasted image', 'Pasted image 2']);
    for (let i = draft.views.length; i < maxAttachments; i++) expect(await draft.add(file(`${i}.ts`))).toBeUndefined();
    expect(await draft.add(file('last.ts'))).toMatch(/at most/);
    draft.take(draft.views.map(({ id }) => id));
    const large = { ...image, content: Buffer.alloc(3_900_000) };
    const answers: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) answers.push(await draft.add(large));
    expect(answers.map((answer) => answer === undefined)).toEqual([true, true, true, true, false, false]);
  });

  it('what is sent is what the user saw, and comes back when it was not taken', async () => {
    await draft.add(file('a.ts'));
    await draft.add(file('b.ts'));
    const ids = draft.views.map(({ id }) => id);
    await draft.remove(ids[0]!);
    await draft.add(file('c.ts'));
    const taken = draft.take([...ids, 'unknown']);
    expect(taken.map(({ label }) => label)).toEqual(['b.ts']);
    expect(labels()).toEqual(['c.ts']);
    draft.putBack(taken);
    draft.putBack(taken);
    expect(labels()).toEqual(['b.ts', 'c.ts']);
  });

  it('come to the draft that they were added to, also if the user has gone to another session', async () => {
    const adding = [draft.add(image), draft.add(image)];
    session = { id: 's2', thread: asked };
    switched.fire();
    await Promise.all(adding);
    expect(labels()).toEqual([]);
    session = { id: 's1', thread: emptyThread };
    switched.fire();
    expect(labels()).toEqual(['Pasted image', 'Pasted image 2']);
  });

  it('keep to the limit and to one of each file when many are added at once', async () => {
    const twice = [...Array(maxAttachments).keys()].flatMap((i) => [file(`${i}.ts`), file(`${i}.ts`)]);
    const answers = await Promise.all([...twice, image].map((made) => draft.add(made)));
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
    expect(new Set(labels()).size).toBe(maxAttachments);
    expect(draft.views).toHaveLength(maxAttachments);
  });
});

describe('a file that was picked or dropped', () => {
  const put = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(folder, name), content);
    return intakeOf(path.join(folder, name), name);
  };

  it('is what its bytes say', async () => {
    expect(await put('really.txt', png)).toMatchObject({
      as: 'image',
      mimeType: 'image/png',
      link: { kind: 'file', label: 'really.txt' },
    });
    expect(await put('song.bin', 'ID3 la la')).toMatchObject({
      as: 'attachment',
      attachment: { kind: 'audio', mimeType: 'audio/mpeg', size: 9 },
    });
    expect(await put('code.png', 'const a = 1;')).toMatchObject({
      as: 'attachment',
      attachment: { kind: 'file', label: 'code.png', linkable: true },
    });
    expect(await intakeOf(folder, 'x')).toMatchObject({
      as: 'attachment',
      attachment: { kind: 'folder', label: `${path.basename(folder)}/` },
    });
    expect(await intakeOf(path.join(folder, 'gone'), 'gone')).toMatchObject({
      as: 'nothing',
      reason: 'gone could not be read.',
    });
  });

  it('goes as a link when it is too large, and says so', async () => {
    expect(await put('long.mp3', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(4_000_000)]))).toMatchObject({
      as: 'attachment',
      attachment: { kind: 'file' },
      remark: expect.stringContaining('too large'),
    });
    expect(await put('huge.png', Buffer.concat([png, Buffer.alloc(31 * 1024 * 1024)]))).toMatchObject({
      as: 'attachment',
      attachment: { kind: 'file' },
      remark: expect.stringContaining('30 MB'),
    });
  });
});
