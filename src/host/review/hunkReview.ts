import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import { OneByOne } from '../../base/oneByOne';
import type { Wish } from '../../changes/ledger';
import { anchorOf, hunksAt, neighbour, type Place } from '../../changes/places';
import { markedWindow } from '../platform/markedWindow';
import type { DocumentPlaces } from './documentPlaces';
import { FORM_ID, type HunkReference } from './hunkLenses';
import type { Review } from './review';

/** The longest time in which VS Code confirms a new cursor position. Milliseconds. */
const CURSOR_MS = 2_000;

/** Review of single hunks by keys and commands at the cursor, and the counter in the status bar. */
export class HunkReview extends Disposable {
  readonly #counter = this.register(
    markedWindow.createStatusBarItem('parley.changes', vscode.StatusBarAlignment.Right, 99),
  );
  readonly #context = new Map<string, boolean>();
  /** Files whose last change was just decided: from there the keys go on to the next file. */
  readonly #finished = new Set<string>();
  /** The last visited file without lines, because no cursor shows that it is active. */
  #whole: Place | undefined;
  readonly #steps = new OneByOne();

  constructor(
    private readonly review: Review,
    private readonly documents: Pick<DocumentPlaces, 'onDidChange' | 'whenRead'>,
  ) {
    super();
    this.#counter.name = l10n.t('Parley: Changes to Review');
    this.#counter.command = 'parley.nextChange';
    this.register(documents.onDidChange(() => this.#update()));
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.#update()));
    this.register(
      vscode.window.onDidChangeTextEditorSelection(
        ({ textEditor }) => textEditor === vscode.window.activeTextEditor && this.#update(),
      ),
    );
    this.#update();
  }

  async keep(reference?: HunkReference): Promise<void> {
    if (reference?.id === FORM_ID) return this.review.decideForm(reference, 'keep');
    await this.#act(reference, async (places) => {
      await this.review.keepPlaces(places);
      return true;
    });
  }

  async undo(reference?: HunkReference): Promise<void> {
    if (reference?.id === FORM_ID) return this.review.decideForm(reference, 'undo');
    await this.#act(reference, async (places) => {
      const isDone = (await this.review.decide(places, 'undo')) === 0;
      if (!isDone) void this.#askWhich(places);
      return isDone;
    });
  }

  async resolve(wish: Wish & ('agents' | 'before'), reference?: HunkReference): Promise<void> {
    await this.#act(reference, async (places) => (await this.review.decide(places, wish)) === 0);
  }

  /** Restores the undone changes in the active file. */
  async restore(): Promise<void> {
    const path = vscode.window.activeTextEditor?.document.uri.fsPath;
    if (path === undefined || !(await this.review.restore(path)))
      void markedWindow.showInformationMessage(l10n.t('No change in this file was undone.'));
  }

  async showBoth(reference?: HunkReference): Promise<void> {
    const place = this.chosen(reference)[0];
    if (place) await this.review.showBoth(place);
  }

  async peekBefore(reference?: HunkReference): Promise<void> {
    const place = this.chosen(reference)[0];
    const document = vscode.window.activeTextEditor?.document;
    if (place?.hunk && document)
      await this.review.peekBefore(
        place,
        document.uri,
        new vscode.Position(anchorOf(place.hunk, document.lineCount), 0),
      );
  }

  /**
   * Goes to the next or previous change from the cursor, and at the end of a file to the next file. Keys pressed
   * quickly are handled one after the other.
   */
  go(direction: 1 | -1): Promise<void> {
    return this.#steps.run('go', () => this.#step(direction));
  }

  async #step(direction: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor) await this.#catchUp(editor.document);
    const places = this.review.places();
    const path = editor && this.review.pathIn(editor.document);
    const whole =
      path === undefined
        ? places.findIndex((place) => place.path === this.#whole?.path && place.sessionId === this.#whole.sessionId)
        : -1;
    if (whole >= 0) return this.goTo(places[(whole + direction + places.length) % places.length]!);
    const next = (among: readonly Place[]) =>
      among[neighbour(among, path, editor?.selection.active.line ?? 0, editor?.document.lineCount ?? 1, direction)];
    const place = next(places);
    if (!place) return;
    await this.review.look([place]);
    const now = next(this.review.places());
    if (now) await this.goTo(now);
  }

  async goTo(place: Place): Promise<void> {
    this.#whole = place.hunk ? undefined : place;
    if (!place.hunk) return this.review.open(place.path);
    const editor = vscode.window.activeTextEditor;
    const isHere = editor !== undefined && this.review.pathIn(editor.document) === place.path;
    const target = isHere
      ? editor
      : await vscode.window.showTextDocument(vscode.Uri.file(place.path), { preview: true });
    const places = await this.documents.whenRead(target.document);
    const now =
      places.find(({ hunk, sessionId }) => hunk?.id === place.hunk!.id && sessionId === place.sessionId)?.hunk ??
      place.hunk;
    await moveTo(target, anchorOf(now, target.document.lineCount));
    // The key may have been pressed in the chat.
    if (isHere) await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }

  /**
   * Waits until the review has the typed text and the document has the written text, so that both count the same lines.
   */
  async #catchUp(document: vscode.TextDocument): Promise<void> {
    await this.review.catchUp(document.uri);
    await this.documents.whenRead(document);
  }

  /**
   * Acts on the hunk of a lens, or on the hunks at the cursor. If there is none, goes to the next one.
   * @param work returns true if all of it was done.
   */
  async #act(
    reference: HunkReference | undefined,
    work: (places: readonly Place[]) => Promise<boolean>,
  ): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor && reference === undefined) await this.#catchUp(editor.document);
    const places = this.chosen(reference);
    if (places.length === 0 && isReference(reference))
      return void markedWindow.showInformationMessage(l10n.t('This change is no longer pending.'));
    if (places.length === 0) return this.go(1);
    const path = places[0]!.path;
    const isDone = await work(places);
    if (this.review.placesIn(path).length === 0) this.#finished.add(path);
    // A key moves on to the next change of the file; a click does not move the cursor.
    if (isDone && reference === undefined && editor && editor === vscode.window.activeTextEditor)
      await this.#leadOn(editor);
    this.#update();
  }

  async #leadOn(editor: vscode.TextEditor): Promise<void> {
    const { line } = editor.selection.active;
    const { lineCount } = editor.document;
    const open = this.review
      .placesOf(editor.document)
      .flatMap(({ hunk }) => (hunk && hunk.state !== 'conflicted' ? anchorOf(hunk, lineCount) : []));
    const next = open.find((anchor) => anchor >= line) ?? open[0];
    if (next !== undefined) await moveTo(editor, next);
  }

  /** The hunk of a lens, or the hunks at the cursor. */
  chosen(reference?: HunkReference): Place[] {
    if (isReference(reference)) {
      return this.review
        .placesIn(reference.path)
        .filter(({ sessionId, hunk }) => sessionId === reference.sessionId && hunk?.id === reference.id);
    }
    const editor = vscode.window.activeTextEditor;
    if (!editor) return [];
    const { start, end } = editor.selection;
    const mine = this.review.placesOf(editor.document);
    const hunks = hunksAt(
      mine.flatMap(({ hunk }) => hunk ?? []),
      start.line,
      end.line,
      editor.document.lineCount,
    );
    return mine.filter(({ hunk }) => hunk && hunks.includes(hunk));
  }

  /** Offers the choice in a message too, because CodeLens may be off. */
  async #askWhich(places: readonly Place[]): Promise<void> {
    const edited = places.flatMap(({ sessionId, path, hunk }) =>
      hunk?.isEdited ? [{ sessionId, path, id: hunk.id }] : [],
    );
    const [mine, agents, neither, both] = [
      l10n.t('Keep Mine'),
      l10n.t('Keep Agent’s Version'),
      l10n.t('Undo Both'),
      l10n.t('Show Both'),
    ] as const;
    const message =
      edited.length === 1
        ? l10n.t('You have edited these lines since the agent wrote them.')
        : l10n.t('You have edited {0} of these changes since the agent wrote them.', edited.length);
    const choice = await markedWindow.showWarningMessage(message, mine, agents, neither, both);
    for (const reference of edited) {
      if (choice === mine) await this.keep(reference);
      else if (choice === agents) await this.resolve('agents', reference);
      else if (choice === neither) await this.resolve('before', reference);
      else if (choice === both) return this.showBoth(reference);
    }
  }

  #update(): void {
    const places = this.review.places();
    if (places.length === 0) this.#finished.clear();
    const editor = vscode.window.activeTextEditor;
    const mine = editor ? this.review.placesOf(editor.document) : [];
    const leadsOn = places.length > 0 && editor !== undefined && this.#finished.has(editor.document.uri.fsPath);
    this.#setContext('parley.hasChanges', places.length > 0);
    this.#setContext('parley.editorHasChanges', mine.length > 0);
    this.#setContext(
      'parley.editorHasConflicts',
      mine.some(({ hunk }) => hunk?.state === 'conflicted'),
    );
    this.#setContext('parley.canGoToChange', mine.length > 0 || leadsOn);
    this.#count(places, editor);
  }

  #count(places: readonly Place[], editor: vscode.TextEditor | undefined): void {
    if (places.length === 0) return this.#counter.hide();
    const path = editor && this.review.pathIn(editor.document);
    const at =
      editor && path !== undefined
        ? this.review.placeAt(path, editor.selection.active.line, editor.document.lineCount)
        : -1;
    const count = places.length;
    const files = this.review.fileCount;
    const position = at < 0 ? String(count) : `${at + 1}/${count}`;
    this.#counter.text = `$(diff) ${count === 1 ? l10n.t('{0} change', position) : l10n.t('{0} changes', position)}`;
    this.#counter.tooltip = tooltipFor(count, files);
    const toReview = count === 1 ? l10n.t('1 change to review') : l10n.t('{0} changes to review', count);
    this.#counter.accessibilityInformation = {
      label: at < 0 ? toReview : l10n.t('Change {0} of {1} to review', at + 1, count),
      role: 'button',
    };
    this.#counter.show();
  }

  #setContext(key: string, value: boolean): void {
    if (this.#context.get(key) === value) return;
    this.#context.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

function tooltipFor(changes: number, files: number): string {
  if (changes === 1) return l10n.t('1 agent change to review. Click to go to it.');
  return files === 1
    ? l10n.t('{0} agent changes to review in one file. Click to go to the next one.', changes)
    : l10n.t('{0} agent changes to review in {1} files. Click to go to the next one.', changes, files);
}

/**
 * Moves the cursor to the first letter of a line. Resolves when VS Code has confirmed it: until then events of earlier
 * cursor positions may arrive, and the next key would start from there.
 */
async function moveTo(editor: vscode.TextEditor, line: number): Promise<void> {
  const position = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
  const isThere = new Deferred<void>();
  const registration = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
    if (textEditor === editor && selections[0]?.active.isEqual(position)) isThere.resolve();
  });
  const timer = setTimeout(() => isThere.resolve(), editor.selection.active.isEqual(position) ? 0 : CURSOR_MS);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await isThere.promise;
  clearTimeout(timer);
  registration.dispose();
}

/** Menus and keybindings may pass any argument to a command. */
function isReference(value: unknown): value is HunkReference {
  return typeof value === 'object' && value !== null && 'id' in value && 'path' in value && 'sessionId' in value;
}
