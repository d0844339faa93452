import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { sendableImages, sniffMediaType } from '../../base/mediaType';
import { type ContextSource, maxMediaLength } from '../../protocol/attachments';
import type { FromWebview, Said } from '../../protocol/fromWebview';
import type { ToWebview } from '../../protocol/messages';
import { type Attachment, maxTextLength, type NewAttachment } from './attachment';
import type { AttachmentStore } from './attachmentStore';
import type { ContextPlace, WorkspaceContext } from './chosenContext';
import type { DraftAttachments } from './draftAttachments';
import { intakeOf } from './attachedFile';
import { problemsContext } from './problemsContext';
import { currentEditor, type CurrentPlace, editorInFront } from './currentFile';
import { documentContext, selectionContext } from './editorContext';
import { copiedTerminalSelection } from './terminalSelection';
import { type TerminalCommand, type TerminalCommands, terminalAttachment } from './terminalCommands';

export interface AttachmentsOptions {
  readonly store: AttachmentStore;
  readonly draft: DraftAttachments;
  readonly terminals: TerminalCommands;
  readonly workspace: WorkspaceContext;
  readonly place: () => ContextPlace;
  /** Shows the panel with the focus in the message box. */
  readonly reveal: () => Promise<void>;
  /** Gives a message to the panel, once it is there. */
  readonly deliver: (message: ToWebview) => void;
}

type AttachmentMessage = Extract<FromWebview, { type: `attachment/add${string}` | `image/${string}` | 'context/add' }>;

/** Adds context to the message being written: the user's pastes, drops, choices and selections. */
export class Attachments {
  #requests = 0;
  /** Image files that the webview is preparing. `added` resolves once they are attached or refused. */
  readonly #preparing = new Map<number, { readonly link: NewAttachment; readonly added: Deferred<void> }>();

  constructor(private readonly options: AttachmentsOptions) {}

  /**
   * Handles a checked request of the panel. Resolves when it is attached; never if a closing panel was to prepare an
   * image.
   */
  async handle(message: AttachmentMessage): Promise<void> {
    const before = new Set(this.#preparing.keys());
    await this.#do(message);
    const begun = [...this.#preparing].flatMap(([id, { added }]) => (before.has(id) ? [] : added.promise));
    await Promise.all(begun);
  }

  async #do(message: AttachmentMessage): Promise<void> {
    switch (message.type) {
      case 'attachment/add':
        return this.#answered(message.requestId, (link) => this.#addData(message, link));
      case 'attachment/addUris':
        return this.#addFiles(message.uris.flatMap(fileOfUri));
      case 'image/refused':
        return this.#answered(message.requestId, (link) => this.#addRefusedImage(link, message.reason));
      case 'context/add':
        return this.addContext(message.source);
    }
  }

  /** Adds the selection in the active editor, or its current line. */
  async addSelection(): Promise<void> {
    const editor = editorInFront();
    await this.options.reveal();
    if (!editor) return this.#say(l10n.t('Open an editor to add its selection.'));
    for (const made of selectionContext(editor)) await this.#add(made);
  }

  /** Adds files and folders. Without any: that of the active editor. */
  async addUris(uris: readonly vscode.Uri[]): Promise<void> {
    const given = uris.length > 0 ? uris : [editorInFront()?.document.uri].filter((uri) => uri !== undefined);
    await this.options.reveal();
    if (given.length === 0) this.#say(l10n.t('Open an editor to add its file.'));
    for (const uri of given) await this.#addUri(uri);
  }

  async #addUri(uri: vscode.Uri): Promise<void> {
    if (uri.scheme === 'file') return this.#addFiles([uri.fsPath]);
    const document = await vscode.workspace.openTextDocument(uri).then(
      (opened) => opened,
      () => undefined,
    );
    if (document) await this.#add(documentContext(document));
    else this.#say(l10n.t('{0} could not be read.', nodePath.posix.basename(uri.path)));
  }

  /** Adds the selection in the active terminal. */
  async addTerminalSelection(): Promise<void> {
    const text = await copiedTerminalSelection();
    await this.options.reveal();
    if (text === undefined) return this.#say(l10n.t('Nothing is selected in the terminal.'));
    await this.#add(
      terminalAttachment(
        l10n.t('Terminal selection'),
        text.slice(-maxTextLength),
        vscode.window.activeTerminal?.name ?? 'terminal',
      ),
    );
  }

  /** Adds one kind of context; `menu` lets the user choose. */
  async addContext(source: ContextSource): Promise<void> {
    const editor = editorInFront();
    switch (source) {
      case 'menu': {
        const choice = await (await import('./contextMenu')).pickContext(this.options.terminals);
        await this.options.reveal();
        if (choice?.kind === 'files') return this.#addFiles(choice.files);
        if (choice?.kind === 'document') return this.#addUri(choice.uri);
        if (choice?.kind === 'problems') return this.#addProblems(choice.uri);
        if (choice?.kind === 'terminal') return this.#addCommand(choice.command);
        return choice && this.addContext(choice.kind);
      }
      case 'current': {
        const shown = currentEditor();
        if (shown?.selection.isEmpty) return this.#addUri(shown.document.uri);
        for (const made of shown ? selectionContext(shown) : []) await this.#add(made);
        return;
      }
      case 'selection':
        return this.addSelection();
      case 'problems':
        return this.#addProblems(
          editor && vscode.languages.getDiagnostics(editor.document.uri).length > 0 ? editor.document.uri : undefined,
        );
      case 'terminal':
        return this.#addCommand(this.options.terminals.latest()[0]);
      default: {
        const { chosenContext } = await import('./chosenContext');
        const { place, workspace } = this.options;
        const found = await chosenContext(source, editor?.document.uri, place(), workspace);
        await this.options.reveal();
        if (typeof found === 'string') return this.#say(found);
        if (found.kind === 'uris') return this.addUris(found.uris);
        for (const made of found.attachments) await this.#add(made);
      }
    }
  }

  /**
   * The attachments for the current file as the panel showed it, with its text of now. They are stored, but not part of
   * the draft.
   * @param besides attachments that the message has anyway
   */
  async ofCurrentFile(
    { document, selections }: CurrentPlace,
    besides: readonly Pick<Attachment, 'kind' | 'uri'>[],
  ): Promise<readonly Attachment[]> {
    const made = await currentContext(document, selections);
    const missing = made.filter(({ kind, uri }) => !besides.some((other) => other.kind === kind && other.uri === uri));
    return Promise.all(missing.map((item) => this.options.store.save(item)));
  }

  /** Opens an attachment in an editor. */
  async open(attachment: Attachment | undefined): Promise<void> {
    if (!attachment) return;
    const stored = this.options.store.fileOf(attachment);
    if (attachment.kind === 'folder')
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.parse(attachment.uri));
    else if (attachment.linkable)
      await vscode.commands.executeCommand(
        'vscode.open',
        vscode.Uri.parse(attachment.uri).with({ fragment: '' }),
        rangeOf(attachment.uri),
      );
    else if (stored !== undefined) await this.openStored(stored);
  }

  /** Opens content of this store. @returns false for any other path. */
  async openStored(file: string): Promise<boolean> {
    if (!this.options.store.holds(file)) return false;
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: true });
    return true;
  }

  /** The panel has prepared an image file, or failed. @param requestId absent for a paste or drop */
  async #answered(
    requestId: number | undefined,
    add: (link: NewAttachment | undefined) => Promise<void>,
  ): Promise<void> {
    const asked = requestId === undefined ? undefined : this.#preparing.get(requestId);
    await add(asked?.link).finally(() => {
      if (requestId !== undefined) this.#preparing.delete(requestId);
      asked?.added.resolve();
    });
  }

  /** Adds pasted or dropped data. Images come prepared, but their type is checked again. */
  async #addData(message: Said<'attachment/add'>, link: NewAttachment | undefined): Promise<void> {
    const { name, preview, remark } = message;
    const bytes = Buffer.from(message.data, 'base64');
    const mimeType = sniffMediaType(bytes);
    const common = {
      label: link?.label ?? name,
      linkable: link !== undefined,
      uri: link?.uri ?? `parley:/attached/${encodeURIComponent(name)}`,
      content: bytes,
      fileName: name,
    };
    const detail = [link?.detail ?? name, remark].filter(Boolean).join(', ');
    if (mimeType !== undefined && sendableImages.includes(mimeType))
      await this.#add({ kind: 'image', ...common, detail, mimeType, ...(preview ? { preview } : {}) });
    else if (mimeType?.startsWith('audio/')) await this.#add({ kind: 'audio', ...common, detail, mimeType });
    else if (mimeType === undefined && isText(bytes, (maxMediaLength / 4) * 3))
      await this.#add({
        kind: 'file',
        ...common,
        detail: l10n.t('{0}, as it was when dropped', name),
        content: bytes.toString('utf8'),
      });
    else
      this.#say(
        l10n.t(
          '{0} is not text, and Parley does not know where it is on disk. Use Add Context to send it as a link.',
          name,
        ),
      );
  }

  async #addFiles(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const intake = await intakeOf(file, vscode.workspace.asRelativePath(file));
      if (intake.as === 'nothing') this.#say(intake.reason);
      else if (intake.as === 'attachment') {
        await this.#add(intake.attachment);
        if (intake.remark !== undefined) this.#say(intake.remark);
      } else {
        const requestId = ++this.#requests;
        this.#preparing.set(requestId, { link: intake.link, added: new Deferred<void>() });
        this.options.deliver({
          type: 'image/prepare',
          requestId,
          name: nodePath.basename(file),
          mimeType: intake.mimeType,
          data: intake.bytes.toString('base64'),
        });
      }
    }
  }

  /** An image file that the browser cannot read is still a file. */
  async #addRefusedImage(link: NewAttachment | undefined, reason: string): Promise<void> {
    if (!link) return;
    await this.#add(link);
    this.#say(`${reason} ${l10n.t('Parley sends a link to the file.')}`);
  }

  async #addProblems(uri: vscode.Uri | undefined): Promise<void> {
    const problems = problemsContext(uri);
    if (problems) await this.#add(problems);
    else this.#say(l10n.t('There are no problems to add.'));
  }

  async #addCommand(command: TerminalCommand | undefined): Promise<void> {
    const made = command && (await this.options.terminals.context(command));
    if (made) await this.#add(made);
    else this.#say(l10n.t('No command has run in a terminal with shell integration yet.'));
  }

  async #add(made: NewAttachment): Promise<void> {
    const refused = await this.options.draft.add(made);
    if (refused !== undefined) this.#say(refused);
  }

  /** Shows a text at the message box. */
  #say(text: string): void {
    this.options.deliver({ type: 'composer/say', text });
  }
}

/** The path of a dropped URI. A remote window sends `vscode-remote:` for a file here. */
function fileOfUri(text: string): string[] {
  try {
    const uri = vscode.Uri.parse(text, true);
    if (uri.scheme === 'file') return [uri.fsPath];
    return uri.scheme === 'vscode-remote' ? [vscode.Uri.file(uri.path).fsPath] : [];
  } catch {
    return [];
  }
}

/** @param selections empty for the whole document */
async function currentContext(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
): Promise<readonly NewAttachment[]> {
  if (selections.length > 0) return selectionContext({ document, selections });
  if (document.uri.scheme !== 'file') return [documentContext(document)];
  const { fsPath } = document.uri;
  const intake = await intakeOf(fsPath, vscode.workspace.asRelativePath(fsPath));
  return intake.as === 'nothing' ? [] : [intake.as === 'image' ? intake.link : intake.attachment];
}

function rangeOf(uri: string): vscode.TextDocumentShowOptions {
  const match = /#L(\d+)(?:-L(\d+))?$/.exec(uri);
  if (!match) return {};
  return { selection: new vscode.Range(Number(match[1]) - 1, 0, Number(match[2] ?? match[1]), 0) };
}

function isText(bytes: Buffer, maxLength: number): boolean {
  if (bytes.length > maxLength || bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
