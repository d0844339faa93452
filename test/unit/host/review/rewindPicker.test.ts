import { describe, expect, it, vi } from 'vitest';
import { type RewindForecast, rowsFor } from '../../../../src/host/review/rewindPicker';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const forecast: RewindForecast = {
  title: 'Restore',
  agent: 'Codex',
  isRunning: false,
  prompts: 2,
  files: 3,
  edited: [],
  unsaved: [],
  isForMessage: false,
};
const rows = (fields: Partial<RewindForecast> = {}) =>
  rowsFor({ ...forecast, ...fields }).map(({ scope, description, detail }) => [scope, description, detail]);

describe('the choice before going back', () => {
  it('says what each choice does to files, to the conversation and to the agent', () => {
    const agent = 'Removes 2 prompts. Codex starts a new session.';
    expect(rows()).toEqual([
      ['both', 'Restores 3 files', agent],
      ['conversation', 'Does not change files', agent],
      ['files', 'Restores 3 files', 'The conversation stays as it is.'],
    ]);
  });

  it('offers no files where none would change, and no files alone where a message follows', () => {
    expect(rows({ files: 0, prompts: 1 })).toEqual([
      ['conversation', 'Does not change files', 'Removes 1 prompt. Codex starts a new session.'],
    ]);
    expect(rows({ isForMessage: true }).map(([scope]) => scope)).toEqual(['both', 'conversation']);
  });

  it('names the files with edits of the user and with unsaved text', () => {
    const [both, conversation] = rows({ edited: ['a.ts', 'b.ts', 'c.ts', 'd.ts'], unsaved: ['a.ts'] });
    expect(both![2]).toMatch(
      /^\$\(warning\) You have edited a\.ts, b\.ts, c\.ts and 1 more since\. \$\(warning\) Unsaved: a\.ts\. Removes 2 prompts/,
    );
    expect(conversation![2]).not.toContain('edited');
  });

  it('makes no icon of a name', () => {
    expect(rows({ agent: '$(check) Codex', edited: ['$(x).ts'] })[0]![2]).not.toMatch(/\$\((check|x)\)/);
  });
});
