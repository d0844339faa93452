import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { ChangeView } from '../../protocol/changeView';
import type { Review } from './review';

/** A badge on files with pending changes, in the Explorer and on tabs. */
export class ChangeBadges extends Disposable implements vscode.FileDecorationProvider {
  readonly #changeEmitter = this.register(new vscode.EventEmitter<vscode.Uri[]>());
  #shown = new Map<string, string>();

  readonly onDidChangeFileDecorations = this.#changeEmitter.event;

  constructor(private readonly review: Review) {
    super();
    this.register(vscode.window.registerFileDecorationProvider(this));
    this.register(review.onDidChange(() => this.#update()));
    this.#update();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== 'file') return undefined;
    const change = this.review.changeIn(uri.fsPath);
    if (!change) return undefined;
    const { conflicts } = change;
    const count = Math.max(1, change.hunks);
    const tooltip = [
      count === 1 ? l10n.t('1 agent change to review') : l10n.t('{0} agent changes to review', count),
      ...(conflicts > 0 ? [conflicts === 1 ? l10n.t('1 conflict') : l10n.t('{0} conflicts', conflicts)] : []),
      ...(change.guarded ? [l10n.t('protected file')] : []),
    ];
    return {
      badge: badgeOf(change),
      tooltip: tooltip.join(' · '),
      color: new vscode.ThemeColor(conflicts > 0 ? 'list.warningForeground' : 'chat.editedFileForeground'),
      propagate: false,
    };
  }

  #update(): void {
    const now = new Map(
      this.review.changes().map(({ path, hunks, conflicts, guarded }) => [path, `${hunks} ${conflicts} ${guarded}`]),
    );
    const touched = [...new Set([...now.keys(), ...this.#shown.keys()])].filter(
      (path) => now.get(path) !== this.#shown.get(path),
    );
    this.#shown = now;
    if (touched.length > 0) this.#changeEmitter.fire(touched.map((path) => vscode.Uri.file(path)));
  }
}

/** VS Code shows at most two characters. */
function badgeOf({ hunks, conflicts }: ChangeView): string {
  const count = Math.max(1, hunks);
  return conflicts > 0 ? '!' : count > 9 ? '9+' : String(count);
}
