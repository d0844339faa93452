import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { AgentDesk } from './agentDesk';
import { until } from './desk';

/** Twenty lines, some of them changed. @param changes by line number, from 1 */
const numbered = (changes: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join('');

const byTheAgent = { 3: 'by the agent', 10: 'also by the agent' };

describe('pending changes, while git replaces the files under them', () => {
  let desk: AgentDesk;
  beforeEach(async () => {
    desk = new AgentDesk();
    desk.put('a.txt', numbered());
    desk.repository('.');
    desk.git('branch', 'start');
    desk.git('checkout', '-q', '-b', 'other');
    desk.put('a.txt', numbered({ 3: 'theirs', 15: 'of the other branch' }));
    desk.git('commit', '-q', '-a', '-m', 'other');
    desk.git('checkout', '-q', '-b', 'work', 'start');
    await desk.read('a.txt');
    await desk.write('a.txt', numbered(byTheAgent));
  });
  afterEach(() => desk.clear());

  it('Undo on another branch changes nothing there, and works again on the first one', async () => {
    desk.git('commit', '-q', '-a', '-m', 'with the agent');
    desk.git('checkout', '-q', 'other');
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), numbered({ 3: 'theirs', 15: 'of the other branch' }));
    assert.match(desk.reported.join(), /One change in a\.txt was not undone/);
    desk.git('checkout', '-q', 'work');
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), numbered());
    assert.deepEqual(desk.changes(), []);
  });

  it('Undo in a rebase that stopped at a conflict takes no line of the other side', async () => {
    desk.git('commit', '-q', '-a', '-m', 'with the agent');
    assert.throws(() =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'rebase', 'other'], {
        cwd: desk.folder,
        stdio: 'ignore',
      }),
    );
    const stopped = desk.disk('a.txt');
    assert.match(stopped, /^<{7} [^]*^>{7} /m);
    await desk.undoAll();
    // The lines of the agent that are there as it wrote them go; all that git and the other branch brought stays.
    assert.equal(
      desk.disk('a.txt'),
      stopped.replace('\nby the agent\n', '\nline 3\n').replace('also by the agent', 'line 10'),
    );
  });

  it('a stash and its return leave them pending', async () => {
    desk.git('stash', '-q');
    await until('the stash', () => desk.disk('a.txt') === numbered());
    desk.git('stash', 'pop', '-q');
    assert.equal(desk.disk('a.txt'), numbered(byTheAgent));
    assert.deepEqual(desk.changes(), ['modified a.txt +2 -2']);
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), numbered());
  });
});
