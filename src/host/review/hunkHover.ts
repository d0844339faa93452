import * as vscode from 'vscode';
import { visibleCode } from '../../base/visibleText';
import type { Hunk } from '../../changes/hunk';
import type { Place } from '../../changes/places';

/** Removed lines that a hover shows at most; the diff has the rest. */
const HOVER_LINES = 40;

type Link = readonly [label: string, command: string];

const decided: readonly Link[] = [
  ['$(check) Keep', 'parley.keepChange'],
  ['$(discard) Undo', 'parley.undoChange'],
  ['$(comment) Comment', 'parley.commentOnChange'],
];
const before: Link = ['$(eye) Show Before', 'parley.peekBefore'];
const conflict: readonly Link[] = [
  ['$(check) Keep Mine', 'parley.keepMine'],
  ['Keep Agent’s Version', 'parley.keepAgents'],
  ['$(discard) Undo Both', 'parley.undoBoth'],
  ['$(diff) Show Both', 'parley.showBoth'],
];

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
  text.appendText(currentLines.length === 0 ? 'The agent removed:' : 'Before the agent:');
  text.appendCodeblock(visibleCode(shown.join('\n')), languageId);
  if (shown.length < baselineLines.length) text.appendText(`… and ${baselineLines.length - shown.length} more lines`);
  return text;
}

function actions({ sessionId, path }: Place, hunk: Hunk): vscode.MarkdownString {
  const links = hunk.state === 'conflicted' ? conflict : [...decided, ...(hunk.baselineLines.length > 0 ? [before] : [])];
  // Parentheses would end the link.
  const argument = encodeURIComponent(JSON.stringify([{ sessionId, path, id: hunk.id }])).replaceAll('(', '%28').replaceAll(')', '%29');
  const text = new vscode.MarkdownString(links.map(([label, command]) => `[${label}](command:${command}?${argument})`).join('&nbsp;&nbsp;|&nbsp;&nbsp;'), true);
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  return text;
}
