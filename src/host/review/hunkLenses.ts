import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { anchorOf, type Place } from '../../changes/places';

/** What a lens hands to its command: a hunk by its name, because places move. */
export interface HunkReference {
  readonly sessionId: string;
  readonly path: string;
  readonly id: string;
}

/** Keep and Undo over each hunk, and which of all it is. Off with the setting `parley.review.codeLens`. */
export class HunkLenses extends Disposable implements vscode.CodeLensProvider {
  private readonly changeEmitter = this.register(new vscode.EventEmitter<void>());

  readonly onDidChangeCodeLenses = this.changeEmitter.event;

  /** @param places everything that waits for a decision. */
  constructor(
    private readonly places: () => readonly Place[],
    private readonly placesOf: (document: vscode.TextDocument) => readonly Place[],
    onDidChange: vscode.Event<unknown>,
    private readonly isGuarded: (path: string) => boolean,
  ) {
    super();
    this.register(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
    this.register(onDidChange(() => this.changeEmitter.fire()));
    this.register(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley.review.codeLens') && this.changeEmitter.fire()));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!vscode.workspace.getConfiguration('parley', document).get('review.codeLens', true)) return [];
    const mine = this.placesOf(document);
    if (mine.length === 0) return [];
    const all = this.places();
    const first = all.findIndex(({ path }) => path === mine[0]!.path);
    const isGuarded = this.isGuarded(mine[0]!.path);
    return mine.flatMap((place, i) => lensesOf(place, first + i + 1, all.length, document.lineCount, isGuarded));
  }
}

function lensesOf(place: Place, number: number, count: number, lineCount: number, isGuarded: boolean): vscode.CodeLens[] {
  const { hunk, sessionId, path } = place;
  if (!hunk) return [];
  const line = anchorOf(hunk, lineCount);
  const range = new vscode.Range(line, 0, line, 0);
  const reference: HunkReference = { sessionId, path, id: hunk.id };
  const lens = (title: string, command: string, tooltip: string) => new vscode.CodeLens(range, { title, command, tooltip, arguments: [reference] });
  const edited = hunk.isEdited && hunk.state !== 'conflicted' ? ' · edited by you' : '';
  const position = lens(`${number} of ${count}${edited}`, 'parley.nextChange', 'Go to the next change');
  if (hunk.state === 'conflicted') {
    return [
      lens('$(warning) You both edited this: Keep mine', 'parley.keepMine', 'Keep what stands here now'),
      lens('Keep the agent’s', 'parley.keepAgents', 'Put the agent’s lines here'),
      lens('Undo both', 'parley.undoBoth', 'Put back what stood here before the agent'),
      lens('Show both', 'parley.showBoth', 'Compare the agent’s lines with yours'),
      position,
    ];
  }
  const removed = hunk.baselineLines.length;
  return [
    lens('$(check) Keep', 'parley.keepChange', 'Agree to this change'),
    lens('$(discard) Undo', 'parley.undoChange', 'Take this change back'),
    lens('$(comment) Comment', 'parley.commentOnChange', 'Tell the agent something about this change'),
    position,
    ...(isGuarded ? [new vscode.CodeLens(range, { title: '$(shield) Guarded', command: '', tooltip: 'Keep All leaves this file, and nothing keeps it by itself' })] : []),
    ...(removed > 0 ? [lens(removed === 1 ? 'Show original line' : `Show ${removed} original lines`, 'parley.peekBefore', 'Show what was here before the agent’s change')] : []),
  ];
}
