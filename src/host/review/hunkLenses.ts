import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { anchorOf, isNear, type Place } from '../../changes/places';
import type { DocumentPlaces } from './documentPlaces';
import { LinesInView } from './linesInView';
import type { FormPlace, Review } from './review';

/** The argument of a lens's command: a hunk by its id, because its place may change. */
export interface HunkReference {
  readonly sessionId: string;
  readonly path: string;
  readonly id: string;
}

/** Stands for the storage form of a text, instead of a hunk's id. */
export const FORM_ID = 'form';

/** With more hunks than this, only those near the view have lenses, because VS Code reserves space for every lens. */
const MANY = 200;

/** Keep, Undo and the hunk's position among all, above each hunk. The setting `parley.review.codeLens` turns it off. */
export class HunkLenses extends Disposable implements vscode.CodeLensProvider {
  readonly #changeEmitter = this.register(new vscode.EventEmitter<void>());

  readonly #inView = this.register(new LinesInView());
  readonly onDidChangeCodeLenses = this.#changeEmitter.event;

  constructor(
    private readonly review: Pick<Review, 'formIn' | 'isGuarded' | 'places' | 'placesOf'>,
    private readonly documents: Pick<DocumentPlaces, 'of' | 'onDidChange' | 'whenRead'>,
    /** The subagents that made a hunk. */
    private readonly subagentsOf: (place: Place) => string,
  ) {
    super();
    this.register(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
    this.register(documents.onDidChange(() => this.#changeEmitter.fire()));
    // VS Code shows cached lenses without their commands, and may not ask again after a diff of the file is closed.
    this.register(
      vscode.window.onDidChangeActiveTextEditor(
        (editor) => editor && this.review.placesOf(editor.document).length > 0 && this.#changeEmitter.fire(),
      ),
    );
    this.register(
      this.#inView.onDidChange(
        ({ document }) => this.review.placesOf(document).length > MANY && this.#changeEmitter.fire(),
      ),
    );
    this.register(
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration('parley.review.codeLens') && this.#changeEmitter.fire(),
      ),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] | Promise<vscode.CodeLens[]> {
    if (!vscode.workspace.getConfiguration('parley', document).get('review.codeLens', true)) return [];
    const known = this.documents.of(document);
    return known
      ? this.#over(known, document)
      : this.documents.whenRead(document).then((places) => this.#over(places, document));
  }

  #over(mine: readonly Place[], document: vscode.TextDocument): vscode.CodeLens[] {
    const form = this.review.formIn(document);
    return [...(form ? lensesOfForm(form) : []), ...this.#overHunks(mine, document)];
  }

  #overHunks(mine: readonly Place[], document: vscode.TextDocument): vscode.CodeLens[] {
    if (mine.length === 0) return [];
    const all = this.review.places();
    const first = all.findIndex(({ path }) => path === mine[0]!.path);
    const isGuarded = this.review.isGuarded(mine[0]!.path);
    const near = mine.length > MANY ? this.#inView.of(document) : undefined;
    return mine.flatMap((place, i) =>
      near && !near.some((lines) => place.hunk && isNear(place.hunk, lines))
        ? []
        : lensesOf(place, first + i + 1, all.length, document.lineCount, isGuarded, this.subagentsOf(place)),
    );
  }
}

/** Lenses above the first line, because line ends and the byte order mark concern the file as a whole. */
function lensesOfForm({ sessionId, path, words }: FormPlace): vscode.CodeLens[] {
  const lens = lensesAt(0, { sessionId, path, id: FORM_ID });
  return [lens(words, '', words), ...keepAndUndo(lens)];
}

type MakeLens = (title: string, command: string, tooltip: string) => vscode.CodeLens;

function lensesAt(line: number, reference: HunkReference): MakeLens {
  const range = new vscode.Range(line, 0, line, 0);
  return (title, command, tooltip) => new vscode.CodeLens(range, { title, command, tooltip, arguments: [reference] });
}

function keepAndUndo(lens: MakeLens): vscode.CodeLens[] {
  return [
    lens(`$(check) ${l10n.t('Keep')}`, 'parley.keepChange', l10n.t('Keep this change')),
    lens(`$(discard) ${l10n.t('Undo')}`, 'parley.undoChange', l10n.t('Undo this change')),
  ];
}

function lensesOf(
  place: Place,
  number: number,
  count: number,
  lineCount: number,
  isGuarded: boolean,
  subagents: string,
): vscode.CodeLens[] {
  const { hunk, sessionId, path } = place;
  if (!hunk) return [];
  const lens = lensesAt(anchorOf(hunk, lineCount), { sessionId, path, id: hunk.id });
  const edited = hunk.isEdited && hunk.state !== 'conflicted' ? ` · ${l10n.t('edited by you')}` : '';
  const position = lens(
    [l10n.t('{0} of {1}', number, count) + edited, subagents].filter(Boolean).join(' · '),
    'parley.nextChange',
    l10n.t('Go to the next change'),
  );
  if (hunk.state === 'conflicted') {
    return [
      lens(
        `$(warning) ${l10n.t('You and the agent edited this: Keep mine')}`,
        'parley.keepMine',
        l10n.t('Keep the current lines'),
      ),
      lens(l10n.t('Keep agent’s version'), 'parley.keepAgents', l10n.t('Replace the current lines with the agent’s')),
      lens(l10n.t('Undo both'), 'parley.undoBoth', l10n.t('Restore the original lines')),
      lens(l10n.t('Show both'), 'parley.showBoth', l10n.t('Compare the agent’s lines with yours')),
      position,
    ];
  }
  const removed = hunk.baselineLines.length;
  return [
    ...keepAndUndo(lens),
    lens(
      `$(comment) ${l10n.t('Comment')}`,
      'parley.commentOnChange',
      l10n.t('Write a comment on this change for the agent'),
    ),
    position,
    ...(isGuarded ? [lens(`$(shield) ${l10n.t('Protected')}`, '', l10n.t('Skipped by Keep All and auto-keep'))] : []),
    ...(removed > 0
      ? [
          lens(
            removed === 1 ? l10n.t('Show original line') : l10n.t('Show {0} original lines', removed),
            'parley.peekBefore',
            l10n.t('Show the lines from before the agent’s change'),
          ),
        ]
      : []),
  ];
}
