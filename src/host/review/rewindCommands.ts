import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CheckpointLog, Save } from '../../changes/checkpointLog';
import { hasPromptSince, isHidden, lastRewind, promptBefore, redoTarget, shownEntries } from '../../thread/rewind';
import { indexOfEntry, type Thread, type UserMessage } from '../../thread/thread';
import { promptsFrom } from '../../thread/threadTurns';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { RestoredFile } from '../changes/fileRestore';
import type { Draft } from '../sessions/draft';
import { CheckpointCommands, type CheckpointCommandsOptions, labelOf, timeOf } from './checkpointCommands';
import { pickScope, type RewindScope } from './rewindPicker';

/** The most prompts in the list; earlier ones can be restored from the conversation. */
const MAX_OFFERED = 200;

export interface RewindCommandsOptions extends CheckpointCommandsOptions {
  /** Sends a prompt in the session. */
  readonly submit: (draft: Draft) => Promise<void>;
}

/** The reason of a rewind: only to restore, or to send the prompt edited or once more. */
type Occasion = 'restore' | 'edit' | 'retry';

/** Restores to before a prompt, with the conversation, the files or both, and can undo that. */
export class RewindCommands {
  /** The commands that only concern files. */
  readonly files: CheckpointCommands;

  constructor(private readonly options: RewindCommandsOptions) {
    this.files = new CheckpointCommands(options);
  }

  /** Lets the user select a prompt to restore to. */
  async pick(): Promise<void> {
    const log = await this.options.checkpoints.log(this.options.live.id);
    const last = redoTarget(this.options.live.session.thread, log.redoable);
    const places: Place[] = last
      ? [
          {
            label: `$(redo) ${l10n.t('Redo')}`,
            description: l10n.t('Undo the restore from {0}', timeOf(last.at)),
            run: () => this.redo(),
          },
        ]
      : [];
    places.push(...this.#prompts(log), ...(log.range ? this.#saves(log.saves) : []));
    if (places.length === 0)
      return void markedWindow.showInformationMessage(l10n.t('There is no prompt to go back to in this session.'));
    const chosen = await markedWindow.showQuickPick(places, {
      title: l10n.t('Parley: Restore Checkpoint'),
      placeHolder: l10n.t('Select a prompt to go back to'),
      matchOnDescription: true,
    });
    await chosen?.run?.();
  }

  /** @returns the removed prompt, for the message box */
  async toEntry(entryId: string): Promise<Draft | undefined> {
    const prompt = this.#promptAt(entryId);
    return prompt && this.#toPrompt(prompt);
  }

  /**
   * Sends a message in place of an earlier prompt.
   * @returns the result; if it is not `sent`, the text stays in the message box
   */
  async resend(entryId: string, draft: Draft): Promise<'sent' | 'calledOff' | 'gone'> {
    const prompt = this.#promptAt(entryId);
    if (!prompt) {
      void markedWindow.showInformationMessage(
        l10n.t(
          'The message that you edited is no longer in the conversation. You can send your text as a new message.',
        ),
      );
      return 'gone';
    }
    if ((await this.#goBack(prompt, 'edit')) === undefined) return 'calledOff';
    void this.options.submit(draft);
    return 'sent';
  }

  /** Sends the prompt of an answer again, in place of everything since. @param entryId of the answer */
  async retry(entryId: string): Promise<void> {
    const { live } = this.options;
    const prompt = promptBefore(live.session.thread, entryId);
    if (!prompt || isHidden(live.session.thread, indexOfEntry(prompt.id))) return;
    const draft = live.draftOf(prompt);
    if (await this.#goBack(prompt, 'retry')) void this.options.submit(draft);
  }

  /** Undoes the last rewind or the last restore of files, whichever is newer. */
  async redo(): Promise<void> {
    const { live, checkpoints } = this.options;
    const { redoable } = await checkpoints.log(live.id);
    await (redoTarget(live.session.thread, redoable)?.isRewind ? this.redoRewind() : this.files.redo());
  }

  /** Undoes the last rewind: the conversation, and the files if they were restored too. */
  async redoRewind(): Promise<void> {
    const { live } = this.options;
    const { thread, isRunning } = live.session;
    const rewind = lastRewind(thread);
    if (!rewind) return;
    const stops = l10n.t('{0} is working. Parley stops it first.', plainText(live.agent));
    if (hasPromptSince(thread, rewind)) {
      const leaves = l10n.t('Restore the earlier conversation? This removes later messages.');
      if (!(await this.options.confirm(isRunning ? `${leaves} ${stops}` : leaves, l10n.t('Redo')))) return;
    }
    // With a second click, it is being undone already, or the last rewind is another one by now.
    if (live.isMoving || lastRewind(live.session.thread) !== rewind) return;
    await live.whileMoving(async () => {
      await live.halt();
      const save =
        rewind.save === undefined
          ? undefined
          : (await this.options.checkpoints.log(live.id)).saves.find(({ id }) => id === rewind.save);
      if (save && !(await this.files.toSave(save))) return;
      await live.undoRewind();
    });
  }

  #prompts(log: CheckpointLog): Place[] {
    const places: Place[] = [];
    for (const prompt of promptsFrom(this.options.live.session.thread)) {
      if (places.length === MAX_OFFERED) break;
      const files = log.touchedBy(prompt.at);
      const told =
        files === 0 ? '' : ` · ${files === 1 ? l10n.t('one file changed') : l10n.t('{0} files changed', files)}`;
      places.push({ label: labelOf(prompt), description: timeOf(prompt.at) + told, run: () => this.#toPrompt(prompt) });
    }
    return places;
  }

  #saves(saves: readonly Save[]): Place[] {
    if (saves.length === 0) return [];
    const words = {
      restore: l10n.t('Before a restore'),
      redo: l10n.t('Before a redo'),
      undo: l10n.t('Before an undo'),
    };
    const items = saves.map((save): Place => {
      const [first = ''] = save.files.keys();
      const files = save.files.size === 1 ? nodePath.basename(first) : l10n.t('{0} files', save.files.size);
      return {
        label: words[save.reason],
        description: `${timeOf(save.at)} · ${plainText(files)}`,
        run: () => this.files.toSave(save),
      };
    });
    return [{ label: l10n.t('Replaced versions'), kind: vscode.QuickPickItemKind.Separator }, ...items];
  }

  #promptAt(entryId: string): UserMessage | undefined {
    const { thread } = this.options.live.session;
    const index = indexOfEntry(entryId);
    const entry = thread.entries.at(index);
    return entry?.kind === 'userMessage' && !isHidden(thread, index) ? entry : undefined;
  }

  async #toPrompt(prompt: UserMessage): Promise<Draft | undefined> {
    const { live } = this.options;
    const draft = live.draftOf(prompt);
    const scope = await this.#goBack(prompt, 'restore');
    return scope === undefined || scope === 'files' ? undefined : draft;
  }

  /** @returns the restored parts; undefined if the user cancelled, or if it failed */
  async #goBack(prompt: UserMessage, occasion: Occasion): Promise<RewindScope | undefined> {
    const { live } = this.options;
    if (live.imported) return undefined;
    const { files } = await this.files.planTo(prompt);
    const scope = await this.#choose(prompt, files, occasion);
    // With a second click, Parley goes back already, or has done so.
    if (scope === undefined || live.isMoving || !this.#promptAt(prompt.id)) return undefined;
    return live.whileMoving(() => this.#goBackNow(prompt, occasion, scope));
  }

  /** What the user sends meanwhile waits: a turn would end with the agent's session. */
  async #goBackNow(prompt: UserMessage, occasion: Occasion, scope: RewindScope): Promise<RewindScope | undefined> {
    const { live } = this.options;
    await live.halt();
    // Writes of the agent until it stopped are restored too.
    const { files: now, problems } =
      scope === 'conversation' ? { files: [], problems: [] } : await this.files.planTo(prompt);
    this.files.tell(problems);
    const restored = await this.#restore(prompt, now, scope);
    if (restored === undefined) return undefined;
    if (scope !== 'files')
      await live.rewind(prompt.id, {
        ...wordsFor(occasion, prompt, restored.files),
        ...(restored.save === undefined ? {} : { save: restored.save }),
      });
    // The prompt may be far above, so a notice appears where the user reads on.
    else if (restored.files > 0)
      live.session.notify({
        severity: 'info',
        title: l10n.t('Files restored to the checkpoint before “{0}”', labelOf(prompt)),
        actions: ['redoFiles'],
      });
    return scope;
  }

  /** Asks the user what to restore. Replacing the last message without any file changes needs no question. */
  async #choose(
    prompt: UserMessage,
    files: readonly RestoredFile[],
    occasion: Occasion,
  ): Promise<RewindScope | undefined> {
    const { live } = this.options;
    const { thread, isRunning } = live.session;
    const prompts = promptsSince(thread, prompt);
    const isForMessage = occasion !== 'restore';
    if (isForMessage && files.length === 0 && !isRunning && prompts === 1) return 'conversation';
    const dirty = new Set(
      vscode.workspace.textDocuments.filter((document) => document.isDirty).map(({ uri }) => uri.fsPath),
    );
    const names = (some: readonly RestoredFile[]) => some.map(({ path }) => nodePath.basename(path));
    const title = titleFor(occasion, prompt);
    return pickScope(
      {
        title,
        agent: live.agent,
        isRunning,
        prompts,
        files: files.length,
        edited: names(files.filter(({ isEdited }) => isEdited)),
        unsaved: names(files.filter(({ path }) => dirty.has(path))),
        isForMessage,
      },
      () => this.files.preview(files, title),
    );
  }

  /** @returns the number of restored files and the save that Redo needs; undefined if the user stopped it */
  async #restore(
    prompt: UserMessage,
    files: readonly RestoredFile[],
    scope: RewindScope,
  ): Promise<{ readonly files: number; readonly save?: string } | undefined> {
    if (files.length === 0) return { files: 0 };
    // The user sees which of their own edits would be lost, and may leave out files.
    const asks = scope === 'files' || files.some(({ isEdited }) => isEdited);
    const chosen = asks ? await this.files.choose(files, titleFor('restore', prompt)) : files;
    if (chosen.length === 0 || !(await this.files.carryOut(chosen, 'restore', prompt.at))) return undefined;
    const save = (await this.options.checkpoints.log(this.options.live.id)).redoable?.id;
    return { files: chosen.length, ...(save === undefined ? {} : { save }) };
  }
}

interface Place extends vscode.QuickPickItem {
  readonly run?: () => Promise<unknown>;
}

function promptsSince(thread: Thread, prompt: UserMessage): number {
  const from = indexOfEntry(prompt.id);
  return [...shownEntries(thread)].filter(({ kind, id }) => kind === 'userMessage' && indexOfEntry(id) >= from).length;
}

function titleFor(occasion: Occasion, prompt: UserMessage): string {
  const words = labelOf(prompt);
  switch (occasion) {
    case 'restore':
      return l10n.t('Restore to the checkpoint before “{0}”', words);
    case 'edit':
      return l10n.t('Send the edited message in place of “{0}”', words);
    case 'retry':
      return l10n.t('Send “{0}” again', words);
  }
}

/** The text of the notice at the cut. */
function wordsFor(
  occasion: Occasion,
  prompt: UserMessage,
  files: number,
): { readonly title: string; readonly detail: string } {
  const title =
    occasion === 'restore'
      ? l10n.t('Restored to the checkpoint before “{0}”', labelOf(prompt))
      : occasion === 'edit'
        ? l10n.t('You edited an earlier message')
        : l10n.t('You sent this message again');
  return {
    title,
    detail:
      files === 0
        ? l10n.t('Files were not changed.')
        : files === 1
          ? l10n.t('1 file was restored.')
          : l10n.t('{0} files were restored.', files),
  };
}
