import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';
import type { Drawing } from './drawing';
import { draw } from './drawingFrame';
import type { Outcome } from './drawingFrame';
import { readTheme } from './theme';

/** Recent results of drawings, by theme and code: a rebuilt block shows it at once. */
const known = new Map<string, Outcome>();
const MOST_KNOWN = 40;
/** Diagrams that the user wants to see as code, or in their natural size. */
const asCode = new Set<string>();
const natural = new Set<string>();
/** The smallest scale of a diagram; below it, it scrolls. */
const LEAST_SCALE = 0.65;

let theme = readTheme();
let themeKey = JSON.stringify(theme);

/** Shows an earlier drawing. @returns whether there was one */
export function showDrawn(block: HTMLElement): boolean {
  const outcome = known.get(keyOf(codeOf(block)));
  if (outcome) show(block, outcome);
  return outcome !== undefined;
}

/** Draws the code of a block and replaces it by the drawing. @param limit of characters */
export async function drawDiagram(block: HTMLElement, limit: number): Promise<void> {
  const code = codeOf(block);
  if (code.trim() === '' || showDrawn(block)) return;
  if (code.length > limit) return showProblem(block, l10n.t('This diagram is too large to draw.'));
  const key = keyOf(code);
  const outcome =
    known.get(key) ??
    (await checked(await draw(code, theme, () => block.isConnected && !known.has(key)))) ??
    known.get(key);
  if (!outcome || outcome.kind === 'unavailable') return;
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!);
  // A busy machine may have time later.
  if (outcome.kind !== 'slow') known.set(key, outcome);
  // If the theme has changed meanwhile, the block is drawn again.
  if (block.isConnected && key === keyOf(code)) show(block, outcome);
}

/** Checks that the browser can show a drawing; until then its code stays. */
async function checked(outcome: Outcome | undefined): Promise<Outcome | undefined> {
  if (outcome?.kind !== 'drawn') return outcome;
  const image = new Image();
  image.src = addressOf(outcome.drawing);
  return image.decode().then(
    () => outcome,
    () => ({ kind: 'wrong', line: 0 }),
  );
}

/** As an image it runs no script, loads nothing and is not part of this document. */
function addressOf({ svg }: Drawing): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function show(block: HTMLElement, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'drawn':
      return showDrawing(block, outcome.drawing);
    case 'slow':
      return showProblem(block, l10n.t('This diagram takes too long to draw.'));
    case 'wrong':
      // A missing end is reported for the line after the last one.
      return showProblem(
        block,
        outcome.line > 0
          ? l10n.t('This diagram has an error in line {0}.', Math.min(outcome.line, codeOf(block).split('\n').length))
          : l10n.t('This diagram cannot be drawn.'),
      );
    case 'unavailable':
  }
}

function showProblem(block: HTMLElement, ownWords: string): void {
  block.querySelector('.diagram')?.remove();
  partOf(block, 'pre')!.hidden = false;
  const line = partOf(block, '.diagram-problem') ?? block.appendChild(document.createElement('p'));
  line.className = 'diagram-problem';
  line.textContent = ownWords;
}

function showDrawing(block: HTMLElement, drawing: Drawing): void {
  const { width, height } = drawing;
  const code = codeOf(block);
  partOf(block, '.diagram-problem')?.remove();
  const box = partOf(block, '.diagram') ?? makeBox(block, code);
  const image = box.querySelector('img')!;
  image.src = addressOf(drawing);
  image.width = width;
  image.height = height;
  image.style.setProperty('--least', `${Math.round(width * LEAST_SCALE)}px`);
  box.tabIndex = 0;
}

function makeBox(block: HTMLElement, code: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'diagram fade-x';
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', l10n.t('Diagram'));
  const image = box.appendChild(document.createElement('img'));
  image.alt = visibleLine(l10n.t('Diagram: {0}', firstLine(code)));
  const pre = partOf(block, 'pre')!;
  // Do not replace an element that the user is working in.
  if (pre.contains(document.activeElement) || isSelected(pre)) asCode.add(code);
  pre.before(box);
  const toggle = barButton();
  const zoom = barButton();
  zoom.classList.add('codicon-screen-full');
  const update = () => {
    const isCode = asCode.has(code);
    const isNatural = natural.has(code);
    pre.hidden = !isCode;
    box.hidden = zoom.hidden = isCode;
    for (const wrap of block.querySelectorAll<HTMLElement>('[data-code="wrap"]')) wrap.hidden = !isCode;
    toggle.classList.toggle('codicon-code', !isCode);
    toggle.classList.toggle('codicon-type-hierarchy', isCode);
    name(toggle, isCode ? l10n.t('Show Diagram') : l10n.t('Show Code'));
    box.classList.toggle('natural', isNatural);
    name(zoom, l10n.t('Original Size'));
    zoom.setAttribute('aria-pressed', String(isNatural));
  };
  toggle.addEventListener('click', () => {
    flip(asCode, code);
    update();
  });
  zoom.addEventListener('click', () => {
    flip(natural, code);
    update();
  });
  // Find has found a match in the code.
  pre.addEventListener('beforematch', () => {
    asCode.add(code);
    update();
  });
  partOf(block, '.code-bar')!.querySelector('.code-language')!.after(toggle, zoom);
  update();
  return box;
}

function isSelected(element: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

function barButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button codicon';
  return button;
}

function name(button: HTMLElement, ownWords: string): void {
  button.title = ownWords;
  button.setAttribute('aria-label', ownWords);
}

function flip(set: Set<string>, code: string): void {
  if (!set.delete(code)) set.add(code);
}

/** The first line with content: the kind of diagram. */
function firstLine(code: string): string {
  const line =
    code
      .replace(/^\s*---\n[\s\S]*?\n---\s*\n/, '')
      .split('\n')
      .find((text) => text.trim() !== '' && !text.trimStart().startsWith('%%')) ?? '';
  return line.trim().slice(0, 80);
}

function codeOf(block: HTMLElement): string {
  return (partOf(block, 'pre')?.textContent ?? '').trimEnd();
}

function partOf(block: HTMLElement, selector: string): HTMLElement | null {
  return block.querySelector<HTMLElement>(`:scope > ${selector}`);
}

function keyOf(code: string): string {
  return `${themeKey}\n${code}`;
}

/** VS Code signals a new theme by the variables on the root and the kind on the body. */
function watchTheme(): void {
  const observer = new MutationObserver(() => {
    const now = readTheme();
    const key = JSON.stringify(now);
    if (key === themeKey) return;
    theme = now;
    themeKey = key;
    for (const block of document.querySelectorAll<HTMLElement>('.code-block:has(> .diagram)'))
      void drawDiagram(block, Infinity);
  });
  observer.observe(document.documentElement, { attributeFilter: ['style'] });
  observer.observe(document.body, { attributeFilter: ['class'] });
}

watchTheme();
