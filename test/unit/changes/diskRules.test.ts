import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beforeByRegions, beforeByWholeDiff, EditorWrites, type SeenDiff } from '../../../src/changes/diskRules';
import { tries } from '../../fakes/tries';

describe('what was before, told by the diffs of tool calls', () => {
  const file = 'one\ntwo\nthree\n';
  it.each<[rule: string, diffs: SeenDiff[], after: string, whole: string | undefined, regions: string | undefined]>([
    ['a whole file (Codex, Gemini)', [{ oldText: file, newText: 'one\n2\nthree\n' }], 'one\n2\nthree\n', file, file],
    [
      'a whole file in other line ends',
      [{ oldText: 'a\r\nb\r\n', newText: 'a\r\nc\r\n' }],
      'a\nc\n',
      'a\nb\n',
      'a\nb\n',
    ],
    ['a region (Claude Code, OpenCode)', [{ oldText: 'two', newText: '2' }], 'one\n2\nthree\n', undefined, file],
    [
      'a region with context and no final line feed',
      [{ oldText: 'one\ntwo\nthree', newText: 'one\n2\nthree' }],
      'one\n2\nthree\n',
      undefined,
      file,
    ],
    [
      'several whole files, one after the other',
      [
        { oldText: 'a\n', newText: 'b\n' },
        { oldText: 'b\n', newText: 'c\n' },
      ],
      'c\n',
      'a\n',
      'a\n',
    ],
    [
      'several regions',
      [
        { oldText: 'one', newText: 'ONE' },
        { oldText: 'three', newText: 'THREE' },
      ],
      'ONE\ntwo\nTHREE\n',
      undefined,
      file,
    ],
    ['a region that is there twice', [{ oldText: 'x', newText: 'two' }], 'two\ntwo\n', undefined, undefined],
    ['a region that overlaps itself', [{ oldText: 'x', newText: 'aa' }], 'aaa\n', undefined, undefined],
    ['a region that is not there', [{ oldText: 'x', newText: 'y' }], file, undefined, undefined],
    ['lines that were taken out', [{ oldText: 'two\n', newText: '' }], 'one\nthree\n', undefined, undefined],
    [
      '"the file is new", which is said of overwritten ones too',
      [{ oldText: null, newText: file }],
      file,
      undefined,
      undefined,
    ],
    ['nothing before, as an insertion is sent', [{ oldText: '', newText: file }], file, undefined, ''],
    ['no diff', [], file, undefined, undefined],
  ])('%s', (_, diffs, after, whole, regions) => {
    expect(beforeByWholeDiff(diffs, after)).toBe(whole);
    if (regions !== '') expect(beforeByRegions(diffs, after)).toBe(regions);
  });
});

describe('what the editor wrote', () => {
  const folders = ['/w', '/'];
  it.each<
    [
      rule: string,
      explained: boolean,
      prepare: (writes: EditorWrites) => void,
      text: string | undefined,
      document?: { text: string; isDirty: boolean; isTyped: boolean },
      changedAt?: number,
    ]
  >([
    [
      'what a save took along while the user typed on',
      true,
      (writes) => writes.saved('/w/a', 'xyz', ['x', 'xy']),
      'xy',
    ],
    [
      'an earlier save among many keys',
      true,
      (writes) => [writes.saved('/w/a', 'w'), writes.saved('/w/a', 'xyz', ['x', 'xy'])],
      'w',
    ],
    ['a save', true, (writes) => writes.saved('/w/a', 'x\r\n'), 'x\n'],
    [
      'the save before the last, of which the event comes late',
      true,
      (writes) => {
        writes.saved('/w/a', 'x');
        writes.saved('/w/a', 'y');
      },
      'x',
    ],
    ['something else than was saved', false, (writes) => writes.saved('/w/a', 'x'), 'y'],
    [
      'typed text whose save nobody told of yet',
      true,
      () => undefined,
      'x',
      { text: 'x', isDirty: false, isTyped: true },
    ],
    ['a document that follows its file', false, () => undefined, 'x', { text: 'x', isDirty: false, isTyped: false }],
    ['unsaved text over another content', false, () => undefined, 'y', { text: 'x', isDirty: true, isTyped: true }],
    ['a file that the user made', true, (writes) => writes.created('/w/a', 1_000), 'x'],
    ['a file in a folder that the user moved here', true, (writes) => writes.created('/w', 1_000), 'x'],
    [
      'a second look at such a file',
      false,
      (writes) => {
        writes.created('/w', 1_000);
        writes.explains('/w/a', 'x', undefined, folders);
      },
      'y',
    ],
    [
      'a file that the agent created through us, which the editor tells of too',
      false,
      (writes) => {
        writes.created('/w/a', 1_000);
        writes.ours('/w/a');
      },
      'y',
    ],
    [
      'a file that the agent created through us in a folder of the user',
      false,
      (writes) => {
        writes.created('/w', 1_000);
        writes.ours('/w/a');
      },
      'y',
    ],
    [
      'a file that the user deleted, we wrote again and is gone once more',
      false,
      (writes) => {
        writes.deleted('/w/a');
        writes.ours('/w/a');
      },
      undefined,
    ],
    ['a file that the user deleted', true, (writes) => writes.deleted('/w/a'), undefined],
    ['a file in a folder that the user deleted', true, (writes) => writes.deleted('/w'), undefined],
    ['a file that is gone and was not deleted here', false, () => undefined, undefined],
    [
      'a file that was deleted, saved again and is gone once more',
      false,
      (writes) => {
        writes.deleted('/w/a');
        writes.saved('/w/a', 'x');
      },
      undefined,
    ],
    [
      'a save before the one that was seen on disk',
      false,
      (writes) => {
        writes.saved('/w/a', 'x');
        writes.saved('/w/a', 'y');
        writes.seen('/w/a', 'y');
      },
      'x',
    ],
    [
      'the save that was seen on disk, and one after it',
      true,
      (writes) => {
        writes.saved('/w/a', 'x');
        writes.seen('/w/a', 'x');
        writes.saved('/w/a', 'y');
      },
      'x',
    ],
    [
      'a file that was in the folder when the user moved it here',
      true,
      (writes) => writes.created('/w', 1_000),
      'x',
      undefined,
      1_010,
    ],
    ['a file that came into that folder later', false, (writes) => writes.created('/w', 1_000), 'x', undefined, 1_100],
    ['a file of the user that changed later', true, (writes) => writes.created('/w/a', 1_000), 'x', undefined, 1_100],
    [
      'a file that the user made again in a folder that was deleted, and that is gone once more',
      false,
      (writes) => {
        writes.deleted('/w');
        writes.created('/w/a', 1_000);
      },
      undefined,
    ],
    [
      'a folder that was deleted with a file that was made again in it',
      true,
      (writes) => {
        writes.deleted('/w');
        writes.created('/w/a', 1_000);
        writes.deleted('/w');
      },
      undefined,
    ],
  ])('%s', (_, explained, prepare, text, document, changedAt) => {
    const writes = new EditorWrites();
    prepare(writes);
    expect(writes.explains('/w/a', text, document, folders, changedAt)).toBe(explained);
  });
});

type Step = 'type' | 'save' | 'agent' | 'reload' | 'look';

/**
 * One file, one document over it and a watcher that looks when it likes; texts are numbered, so it is known who wrote
 * each.
 */
class World {
  readonly writes = new EditorWrites();
  readonly attributed: string[] = [];
  private count = 0;
  private disk = 'start';
  private document = { text: 'start', isDirty: false, isTyped: false };
  private known = 'start';

  readonly steps: Readonly<Record<Step, () => void>> = {
    type: () => {
      this.document = { text: `person ${++this.count}`, isDirty: true, isTyped: true };
    },
    save: () => {
      if (!this.document.isDirty) return;
      this.disk = this.document.text;
      this.document = { ...this.document, isDirty: false };
      this.writes.saved('/a', this.disk);
    },
    agent: () => {
      this.disk = `agent ${++this.count}`;
    },
    reload: () => {
      if (!this.document.isDirty) this.document = { text: this.disk, isDirty: false, isTyped: false };
    },
    look: () => {
      if (this.disk !== this.known && !this.writes.explains('/a', this.disk, this.document, ['/']))
        this.attributed.push(this.disk);
      this.known = this.disk;
    },
  };
}

it('whatever the order of typing, saves, reloads and late looks: nothing of the user is attributed to the agent, and nothing of the agent to the user', () => {
  const step = fc.constantFrom<Step>('type', 'save', 'agent', 'reload', 'look');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world = new World();
      for (const name of steps) world.steps[name]();
      expect(world.attributed.filter((text) => !text.startsWith('agent'))).toEqual([]);
      // What the agent wrote and a look found standing is told.
      const before = world.attributed.length;
      world.steps.agent();
      world.steps.look();
      expect(world.attributed.length).toBe(before + 1);
    }),
    { numRuns: tries(1_000) },
  );
});
