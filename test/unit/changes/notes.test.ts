import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteBlocks, notesText } from '../../../src/host/sessions/noteBlocks';
import { diffOf, excerptOf, notePieces, notesTitle, type ReviewNote } from '../../../src/changes/notes';

const folder = path.join(import.meta.dirname, '../../fixtures/review');
const note = (fields: Partial<ReviewNote> = {}): ReviewNote => ({
  id: 'n',
  kind: 'comment',
  path: '/w/src/a.ts',
  label: 'src/a.ts',
  first: 41,
  last: 43,
  text: 'Why not a table?',
  diff: '-old\n+new',
  ...fields,
});

const cases: Readonly<Record<string, readonly ReviewNote[]>> = {
  'one comment': [note()],
  'comments on the lines of before, on unchanged lines, and without lines': [
    note({ isBefore: true, first: 9, last: 9, text: 'This was needed.', diff: diffOf(['let x = 1;'], []) }),
    note({
      label: 'src/a file.ts',
      text: 'And here?\n\nTwo paragraphs.',
      diff: excerptOf(['const a = 1;', 'const b = 2;']),
    }),
    note({ diff: '' }),
  ],
  'undone changes, one with a reason, one of a file that was created': [
    note({ kind: 'undone', text: 'It is slower.' }),
    note({ kind: 'undone', label: 'src/new.ts', first: 1, last: 1, text: '', diff: diffOf([], ['export {};']) }),
  ],
  'all kinds, in their order': [note({ kind: 'edited', text: '' }), note({ kind: 'undone', text: '' }), note()],
  'lines that would end their own code block': [note({ diff: diffOf(['```'], ['````js']), text: '```\nmine\n```' })],
};

/** What the agent is told, as text. UPDATE_SNAPSHOTS=1 rewrites it; look at the difference. */
describe('what the agent is told of a review', () => {
  it.each(Object.entries(cases))('%s', (name, notes) => {
    const file = path.join(folder, `${name.replace(/\W+/g, '-')}.md`);
    const text = `${notesText(notes)}\n`;
    if (process.env['UPDATE_SNAPSHOTS']) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('is bounded in lines, in characters and in changes, and says so; a comment is never cut', () => {
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`);
    expect(diffOf(lines, []).split('\n')).toHaveLength(61);
    expect(diffOf(lines, []).endsWith('… 440 more')).toBe(true);
    const many = Array.from({ length: 900 }, (_, i) =>
      note({
        id: String(i),
        kind: 'undone',
        first: i + 1,
        last: i + 1,
        text: '',
        diff: diffOf(
          lines.map((line) => line.repeat(100)),
          [],
        ),
      }),
    );
    expect(notesText(many).length).toBeLessThan(50_000);
    expect(notesText(many)).toContain('And 860 more: src/a.ts:41, src/a.ts:42');
    const long = 'x'.repeat(100_000);
    expect(notesText([note({ text: long })])).toContain(long);
  });

  it('is named in few words', () => {
    expect(notesTitle([note(), note()])).toBe('2 comments');
    expect(notesTitle([note(), note({ kind: 'undone' }), note({ kind: 'edited' })])).toBe(
      '1 comment, 1 undone change and 1 edited change',
    );
    expect(notesTitle([])).toBe('');
    expect(notePieces([])).toEqual([]);
  });
});

describe('items 75 and 77: the blocks of what is told', () => {
  const takes = { image: false, audio: false, embeddedContext: true };

  it('lines are embedded where the agent takes that, named by their place', () => {
    expect(noteBlocks([note()], takes, true)).toEqual([
      { type: 'text', text: 'A comment from my review:\n\n`src/a.ts:41-43`\n\n' },
      {
        type: 'resource',
        resource: { uri: 'file:///w/src/a.ts#L41-L43', mimeType: 'text/x-diff', text: '-old\n+new' },
      },
      { type: 'text', text: 'Why not a table?\n\n' },
    ]);
  });

  it('else they stand in the text, with one link to each place that is there', () => {
    const notes = [
      note(),
      note({ id: 'm', text: 'Again' }),
      note({ path: '/w/b c.ts', label: 'b c.ts', first: 2, last: 2, isBefore: true }),
    ];
    expect(noteBlocks(notes, { ...takes, embeddedContext: false }, false)).toEqual([
      { type: 'text', text: `\n\n${notesText(notes)}` },
      { type: 'resource_link', uri: 'file:///w/src/a.ts#L41-L43', name: 'src/a.ts:41-43' },
    ]);
    expect(noteBlocks([], takes, true)).toEqual([]);
  });
});
