import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import { formatDuration, formatElapsed } from '../../protocol/format';
import { markedWindow } from '../platform/markedWindow';
import type { Worktree } from '../worktrees/worktree';
import { runInWorktree } from '../worktrees/worktreeTask';

/** A run of the tests in the worktree of a session. Times are epoch ms. */
type TestRun =
  | { readonly state: 'waits' }
  | { readonly state: 'runs'; readonly since: number }
  /** `code` is undefined if the command was stopped or could not begin. */
  | { readonly state: 'ended'; readonly code: number | undefined; readonly since: number; readonly at: number };

const commandKey = 'parley.testCommand';

/** Runs the tests of the project in worktrees, by a command that the user names. Results last as long as the window. */
export class TestRuns extends Disposable {
  readonly #runs = new Map<string, TestRun>();
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  /** @param state of this workspace; the user's own, no file of the repository */
  constructor(
    private readonly state: vscode.Memento,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** The command of the last run; "" before the first. */
  get command(): string {
    return this.state.get<string>(commandKey) ?? '';
  }

  /** One of these worktrees waits for its turn or is tested. */
  isBusy(sessionIds: readonly string[]): boolean {
    return sessionIds.some((id) => ['waits', 'runs'].includes(this.#runs.get(id)?.state ?? ''));
  }

  /**
   * What became of the tests of a session, in words; undefined if there was no run.
   * @param changedAt when the session worked last
   */
  words(sessionId: string, changedAt: number): string | undefined {
    const run = this.#runs.get(sessionId);
    if (!run) return undefined;
    if (run.state === 'waits') return l10n.t('tests wait');
    if (run.state === 'runs') return l10n.t('tests run, {0}', formatElapsed(this.clock.now() - run.since));
    const time = formatDuration(run.at - run.since);
    const words =
      run.code === undefined
        ? l10n.t('tests did not end')
        : run.code === 0
          ? l10n.t('tests passed in {0}', time)
          : l10n.t('tests failed (exit code {0}) in {1}', run.code, time);
    return changedAt > run.since ? l10n.t('{0}, before its last turn', words) : words;
  }

  /** Asks for the command. @returns undefined if the user cancels */
  async ask(): Promise<string | undefined> {
    const command = await markedWindow.showInputBox({
      title: l10n.t('Run Tests in Each Worktree'),
      prompt: l10n.t('Parley remembers the command for this workspace.'),
      placeHolder: l10n.t('A command, such as npm test'),
      value: this.command,
      ignoreFocusOut: true,
    });
    if (command === undefined || command.trim() === '') return undefined;
    await this.state.update(commandKey, command);
    return command;
  }

  /** Runs a command in one worktree after another, so that times can be compared. */
  async run(
    command: string,
    sides: readonly { readonly sessionId: string; readonly worktree: Worktree }[],
  ): Promise<void> {
    for (const { sessionId } of sides) this.#set(sessionId, { state: 'waits' });
    for (const { sessionId, worktree } of sides) {
      const since = this.clock.now();
      this.#set(sessionId, { state: 'runs', since });
      // VS Code may refuse to run tasks.
      const code = await runInWorktree(command, worktree, l10n.t('Test {0}', worktree.branch), false).catch(
        () => undefined,
      );
      this.#set(sessionId, { state: 'ended', code, since, at: this.clock.now() });
    }
  }

  #set(sessionId: string, run: TestRun): void {
    this.#runs.set(sessionId, run);
    this.#changeEmitter.fire();
  }
}
