import { slices } from '../lib/frame';
import type { WordPlace } from './changedWords';

type Highlighter = typeof import('./highlighter') & typeof import('./changedWords');

let highlighter: Highlighter | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter once. If that fails, code stays plain and the log has the reason. */
export function loadHighlighter(): Promise<void> {
  loading ??= Promise.all([import('./highlighter'), import('./changedWords')]).then(([colors, words]) => {
    highlighter = { ...colors, ...words };
  }, reportError);
  return loading;
}

/** Calls back when code can be coloured: at once, once the highlighter has been loaded, or never. */
export function whenHighlighter(use: () => void): void {
  if (highlighter) use();
  else void loadHighlighter().then(() => highlighter && use());
}

/** True if `highlight` knows a fence's language; loads the highlighter if needed. */
export function canHighlight(language: string): boolean {
  if (language === '') return false;
  if (!highlighter) void loadHighlighter();
  return highlighter?.knowsLanguage(language) ?? false;
}

/** Colours code: a fragment of text and spans with class names, or `undefined` if it stays plain. */
export function highlight(code: string, language: string): DocumentFragment | undefined {
  return highlighter?.highlight(code, language);
}

/** The words that differ between the lines of a hunk (`changedWords.ts`); none before `whenHighlighter`. */
export function changedWords(lines: readonly string[]): ReadonlyMap<number, readonly WordPlace[]> {
  return highlighter?.changedWords(lines) ?? new Map();
}

/** Colours an element's code in a later frame with enough time, if it is still shown then. */
export function enqueueHighlight(target: Element, task: () => void): void {
  slices.add(() => {
    if (target.isConnected) task();
  });
}
