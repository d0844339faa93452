import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleCode } from '../../base/visibleText';
import type { Hunk } from '../../changes/hunk';
import type { Place } from '../../changes/places';

/** Removed lines that a hover shows at most; the diff has the rest. */
const HOVER_LINES = 40;

type Link = readonly [label: string, command: string];

/**
 * What a hover over a hunk says: what stood there before, and what can be done, for those who have CodeLens off. The
 * lines are in a string of their own, which is not trusted: only our links can run a command, and no others.
 */
export function hunkHover(place: Place, hunk: Hunk, languageId: string): vscode.MarkdownString[] {
  return [...(hunk.baselineLines.length > 0 ? [linesBefore(hunk, languageId)] : []), actions(place, hunk)];
}

function linesBefore({ baselineLines, currentLines }: Hunk, languageId: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const shown = baselineLines.slice(0, HOVER_LINES);
  text.appendText(currentLines.length === 0 ? l10n.t('Removed by the agent:') : l10n.t('Original lines:'));
  text.appendCodeblock(visibleCode(shown.join('\n')), languageId);
  const more = baselineLines.length - shown.length;
  if (more > 0) text.appendText(`… ${more === 1 ? l10n.t('1 more line') : l10n.t('{0} more lines', more)}`);
  return text;
}

function linksFor(hunk: Hunk): readonly Link[] {
  if (hunk.state === 'conflicted') {
    return [
      [`$(check) ${l10n.t('Keep Mine')}`, 'parley.keepMine'],
      [l10n.t('Keep Agent’s Version'), 'parley.keepAgents'],
      [`$(discard) ${l10n.t('Undo Both')}`, 'parley.undoBoth'],
      [`$(diff) ${l10n.t('Show Both')}`, 'parley.showBoth'],
    ];
  }
  const links: Link[] = [
    [`$(check) ${l10n.t('Keep')}`, 'parley.keepChange'],
    [`$(discard) ${l10n.t('Undo')}`, 'parley.undoChange'],
    [`$(comment) ${l10n.t('Comment')}`, 'parley.commentOnChange'],
  ];
  return hunk.baselineLines.length > 0 ? [...links, [`$(eye) ${l10n.t('Show Original')}`, 'parley.peekBefore']] : links;
}

function actions({ sessionId, path }: Place, hunk: Hunk): vscode.MarkdownString {
  const links = linksFor(hunk);
  // Parentheses would end the link.
  const argument = encodeURIComponent(JSON.stringify([{ sessionId, path, id: hunk.id }])).replaceAll('(', '%28').replaceAll(')', '%29');
  const text = new vscode.MarkdownString(links.map(([label, command]) => `[${label}](command:${command}?${argument})`).join('&nbsp;&nbsp;|&nbsp;&nbsp;'), true);
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  return text;
}
