import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../base/numberText';
import { visibleLine } from '../../base/visibleText';
import type { Save } from '../../changes/checkpointLog';
import type { UserMessage } from '../../thread/thread';
import { promptWords } from '../../thread/threadTurns';
import { labelOfPath } from '../../view/labels';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { Checkpoints } from '../changes/stored/checkpoints';
import type { FileRestore, RestoredFile, RestorePlan } from '../changes/fileRestore';
import type { LiveSession } from '../sessions/liveSession';
import { longWork, shownWait } from '../platform/longWork';
import { type FileItem, pickFiles } from './rewindPicker';
import { namedTogether, toldTogether } from '../platform/problemList';

export interface CheckpointCommandsOptions {
  /** The session of the commands, even if another one is shown meanwhile. */
  readonly live: LiveSession;
  readonly checkpoints: Checkpoints;
  readonly restore: FileRestore;
  readonly baselines: BaselineDocuments;
  /** Asks before edits of the user are lost. */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  readonly report: (message: string) => void;
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** Commands for the files of a session: restore, redo, and show all changes. */
export class CheckpointCommands {
  constructor(private readonly options: CheckpointCommandsOptions) {}

  /** The changes that a restore to before a prompt would make; none if the prompt cannot be restored (any more). */
  async planTo({ at }: UserMessage): Promise<RestorePlan> {
    const { live, restore } = this.options;
    const log = await comparing(restore.settledLog(live.id));
    if (!log.range || at < log.range.from || at > log.range.to) return { files: [], problems: [] };
    return comparing(restore.plan(live.id, log.since(at), at));
  }

  /** Reports files that cannot be restored. */
  tell(problems: readonly string[]): void {
    if (problems.length > 0)
      this.options.report(`${l10n.t('Some files cannot be restored.')}\n${toldTogether(problems)}`);
  }

  /** Reverses the last restore. Asks only if files were edited since. */
  async redo(): Promise<void> {
    const { live, checkpoints } = this.options;
    const { redoable } = await checkpoints.log(live.id);
    if (!redoable) void markedWindow.showInformationMessage(l10n.t('Nothing to redo in this session.'));
    else if (await this.toSave(redoable)) live.session.settleNotice('redoFiles', l10n.t('The file restore was undone'));
  }

  /** Opens all changes of the session in one editor, including those that the user has kept. */
  async showSessionChanges(): Promise<void> {
    const { live, baselines, restore } = this.options;
    const { id, cwd } = live;
    const log = await comparing(restore.settledLog(id));
    const { files, problems } = await comparing(restore.plan(id, log.since()));
    if (problems.length > 0) this.options.report(toldTogether(problems));
    if (files.length === 0)
      return void markedWindow.showInformationMessage(l10n.t('No changes since the session began.'));
    const shown = files.filter(hasLines);
    const others = files.length - shown.length;
    if (shown.length === 0)
      return void markedWindow.showInformationMessage(
        l10n.t('Only binary files or permissions changed since the session began.'),
      );
    const key = `${id} since`;
    baselines.deleteAll(key);
    const rounds = log.prompts.length;
    const title =
      rounds === 1
        ? l10n.t('Changes since the session began (1 prompt)')
        : l10n.t('Changes since the session began ({0} prompts)', rounds);
    const hidden =
      others === 1
        ? l10n.t('one file without text changes is not shown')
        : l10n.t('{0} files without text changes are not shown', others);
    await vscode.commands.executeCommand(
      'vscode.changes',
      others === 0 ? title : `${title} · ${hidden}`,
      shown
        .toSorted((a, b) => byName.compare(labelOfPath(a.path, cwd), labelOfPath(b.path, cwd)))
        .map(({ path, target, now }) => [
          vscode.Uri.file(path),
          target.kind === 'text' ? baselines.set(path, key, target.text) : undefined,
          now.kind === 'text' ? vscode.Uri.file(path) : undefined,
        ]),
    );
  }

  /** Restores files from a backup. @returns false if the user stopped it */
  async toSave(save: Save): Promise<boolean> {
    const { live, checkpoints, restore } = this.options;
    if (live.session.isRunning) {
      this.options.report(l10n.t('{0} is working. Stop it before you restore files.', live.agent));
      return false;
    }
    const { files, problems } = await comparing(restore.plan(live.id, save.files));
    this.tell(problems);
    const asks = files.some(({ isEdited }) => isEdited) || save.reason === 'undo';
    const chosen = asks ? await this.choose(files, l10n.t('Restore the versions from {0}', timeOf(save.at))) : files;
    if (asks && chosen.length === 0) return false;
    // A stopped redo stays available.
    if (!(await this.carryOut(chosen, 'redo'))) return false;
    await checkpoints.redone(live.id, save.id);
    return true;
  }

  /** Shows the changes; the user selects all or some files. @returns none if the user cancels. */
  async choose(files: readonly RestoredFile[], title: string): Promise<readonly RestoredFile[]> {
    const { cwd } = this.options.live;
    const items = files
      .map((file): FileItem => ({ ...file, label: labelOfPath(file.path, cwd) }))
      .toSorted((a, b) => byName.compare(a.label, b.label));
    const chosen = await pickFiles(items, title, (shown) => this.preview(shown, title));
    const lost = chosen.filter(({ kind, isEdited }) => kind === 'goes' && isEdited);
    if (lost.length > 0) {
      const names = namedTogether(lost.map(({ label }) => label));
      const question =
        lost.length === 1
          ? l10n.t('You have edited {0} since the agent created it. Delete it?', names)
          : l10n.t('You have edited {0} since the agent created them. Delete them?', names);
      if (!(await this.options.confirm(question, l10n.t('Delete')))) return [];
    }
    return chosen;
  }

  /** Opens a diff: the present content on the left, the restored one on the right. */
  async preview(files: readonly RestoredFile[], title: string): Promise<void> {
    const { baselines } = this.options;
    const sides = files
      .filter(hasLines)
      .map(({ path, target, now }) => [
        vscode.Uri.file(path),
        now.kind === 'text' ? vscode.Uri.file(path) : undefined,
        target.kind === 'text' ? baselines.set(path, 'restore', target.text) : undefined,
      ]);
    await vscode.commands.executeCommand('vscode.changes', visibleLine(title), sides);
  }

  /** @returns false if the user stopped it. */
  async carryOut(files: readonly RestoredFile[], reason: 'restore' | 'redo', prompt?: number): Promise<boolean> {
    if (files.length === 0) return true;
    const problems: string[] = [];
    let begun = 0;
    await longWork(l10n.t('Restoring files'), files.length, async (step) => {
      problems.push(
        ...(await this.options.restore.carryOut(
          this.options.live.id,
          files,
          reason,
          prompt,
          () => step() && ++begun > 0,
        )),
      );
    });
    const isStopped = begun < files.length;
    if (isStopped)
      this.options.report(
        l10n.t('Stopped. {0} of {1} files were restored.', numberText(begun), numberText(files.length)),
      );
    if (problems.length > 0)
      this.options.report(`${l10n.t('Some files were not restored.')}\n${toldTogether(problems)}`);
    return !isStopped;
  }
}

/** Shows progress, because reading many files takes long. */
function comparing<T>(work: Promise<T>): Promise<T> {
  return shownWait(l10n.t('Comparing files with the checkpoint'), work);
}

/** False for files that a diff cannot show: binary files and changes of permissions. */
function hasLines({ note }: RestoredFile): boolean {
  return note === undefined;
}

/** The words of a prompt, for a list or a title. */
export function labelOf(prompt: UserMessage): string {
  const words = promptWords(prompt) || l10n.t('Untitled');
  return plainText(words, 79);
}

/** The time of day for today, otherwise with the date. */
export function timeOf(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}
