import * as l10n from '@vscode/l10n';
import { Lexer } from 'marked';
import type { Links, Token, Tokens } from 'marked';
import { visibleCode, visibleProse } from '../../src/base/visibleText';
import { CodeBlock } from './codeBlock';
import { setDirection } from './direction';
import { dressLinks, imageElement, linkElement, showTrueHost } from './dress';
import { footnoteElement, footnoteReferenceElement } from './footnotes';
import { detailsIn } from './lines';
import { mathElement } from './math';
import { appendWithPaths, codeHolder } from './pathLinks';
import { ProseTokenizer } from './proseTokenizer';
import { decodeEntities, sanitize } from './sanitize';
import type { MarkdownBlock } from './splitter';
import { extensionsFor } from './syntax';
import { beginsFormatting } from './tags';
import { takeAlert } from './alerts';

/** The parts of the message that a block needs. */
export interface RenderContext {
  /** Link reference definitions of the whole message. */
  readonly links: Links;
  /** A single line break breaks the line: for what a user typed. */
  readonly breaks: boolean;
}

/** Quotes and lists in each other on one line, too many for the browser and for the parser, which calls itself. */
const tooDeep = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){100}/m;

/**
 * Builds the DOM of one block. Markdown becomes nodes directly, without HTML in between, so text always stays text. Raw
 * HTML goes through `sanitize`.
 */
export function renderBlock(block: MarkdownBlock, context: RenderContext): DocumentFragment {
  const fragment = document.createDocumentFragment();
  if (tooDeep.test(block.raw)) {
    text(block.raw.trim(), append(fragment, 'p'));
    return fragment;
  }
  const tokens = lex(block.tableHead === undefined ? block.raw : block.tableHead + block.raw, context);
  const first = tokens[0];
  if (block.listStart !== undefined && first?.type === 'list') first['start'] = block.listStart;
  blocks(tokens, fragment);
  return fragment;
}

/** The link reference definitions in a block. */
export function definitions(raw: string): Links {
  if (tooDeep.test(raw)) return {};
  return new Lexer({ gfm: true, extensions: extensionsFor(raw) ?? null }).lex(raw).links;
}

function lex(source: string, context: RenderContext): Token[] {
  const lexer = new Lexer({
    gfm: true,
    breaks: context.breaks,
    tokenizer: new ProseTokenizer(),
    extensions: extensionsFor(source) ?? null,
  });
  Object.assign(lexer.tokens.links, context.links);
  return lexer.lex(source);
}

/** Folds the blocks between `<details>` and its end: raw HTML comes in pieces, with Markdown between them. */
function blocks(tokens: readonly Token[], into: Node & ParentNode): void {
  const around: (Node & ParentNode)[] = [];
  let target = into;
  for (const token of tokens as readonly Tokens.Generic[]) {
    block(token, target);
    let opened = token.type === 'html' ? detailsIn(String(token['text'])) : 0;
    for (; opened < 0 && around.length > 0; opened++) target = around.pop()!;
    for (; opened > 0; opened--) {
      const details = [...target.children].findLast(({ tagName }) => tagName === 'DETAILS');
      if (!details) break;
      around.push(target);
      target = details;
    }
  }
}

function block(token: Tokens.Generic, into: Node & ParentNode): void {
  switch (token.type) {
    case 'space':
      return;
    case 'def':
      // `[ERROR]: failed` is not a link.
      if (!/[./#:@\\]/.test(String(token['href']))) text(token.raw.trim(), append(into, 'p'));
      return;
    case 'paragraph':
      paragraph(token.tokens ?? [], append(into, 'p'));
      return;
    case 'heading':
      paragraph(token.tokens ?? [], append(into, `h${Math.min(6, Number(token['depth']) || 1)}`));
      return;
    case 'code':
      into.appendChild(
        new CodeBlock(
          token['lang'] ? decodeEntities(String(token['lang'])) : '',
          String(token['text']).replace(/\n$/, ''),
          /\n[ \t>]*(?:`{3,}|~{3,})\s*$/.test(token.raw),
        ).element,
      );
      return;
    case 'blockquote':
      blockquote(token.tokens ?? [], into);
      return;
    case 'list':
      list(token as Tokens.List, into);
      return;
    case 'table':
      table(token as Tokens.Table, into);
      return;
    case 'math':
      into.appendChild(mathElement(String(token['tex']), true));
      return;
    case 'footnote':
      blocks(token.tokens ?? [], footnoteElement(String(token['label']), into));
      return;
    case 'hr':
      append(into, 'hr');
      return;
    case 'html':
      rawHtml(String(token['text']), into);
      return;
    case 'checkbox':
      checkbox(token['checked'] === true, into);
      return;
    default:
      // A tight list item's text is a "text" block with inline tokens.
      if (token.tokens) inlines(token.tokens, into);
      else text(String(token['text'] ?? token.raw), into);
  }
}

function paragraph(tokens: readonly Token[], element: HTMLElement): void {
  inlines(tokens, element);
  setDirection(element);
}

function rawHtml(source: string, into: Node): void {
  if (!beginsFormatting(source)) return markup(source, into);
  const html = sanitize(source);
  dressLinks(html);
  into.appendChild(html);
}

/** Shows XML or components without a fence as written. The content of an `<answer>` is still Markdown. */
function markup(source: string, into: Node): void {
  const element = append(into, 'p');
  element.className = 'markup';
  const lines = source.trimEnd().split('\n');
  const isProse =
    !/^<(?:[!?]|script|style|textarea)/i.test(source) &&
    lines.slice(1).some((line) => /^[^\s<]/.test(line)) &&
    !lines.slice(1, -1).some((line) => /^\s*<|^\s{2}/.test(line));
  if (isProse) inlines(Lexer.lexInline(source.trimEnd(), { gfm: true, tokenizer: new ProseTokenizer() }), element);
  else text(source.trimEnd(), element);
}

function blockquote(tokens: readonly Token[], into: Node): void {
  const alert = takeAlert(tokens);
  if (!alert) {
    const quote = append(into, 'blockquote');
    blocks(tokens, quote);
    return setDirection(quote);
  }
  into.appendChild(alert.element);
  blocks(alert.rest, alert.element);
}

function list(token: Tokens.List, into: Node): void {
  const element = append(into, token.ordered ? 'ol' : 'ul');
  if (token.ordered && token.start !== 1 && token.start !== '') element.setAttribute('start', String(token.start));
  for (const item of token.items) {
    const li = append(element, 'li');
    if (item.task) {
      li.className = 'task';
      if (
        !item.tokens.some(
          (t) => t.type === 'checkbox' || (t.type === 'paragraph' && t.tokens?.some((i) => i.type === 'checkbox')),
        )
      ) {
        checkbox(item.checked === true, li);
      }
    }
    blocks(item.tokens, li);
  }
  setDirection(element);
}

function checkbox(checked: boolean, into: Node): void {
  const box = append(into, 'input') as HTMLInputElement;
  box.type = 'checkbox';
  box.disabled = true;
  // Use the attribute, not the property: nodes are compared and moved by their attributes.
  box.toggleAttribute('checked', checked);
  box.setAttribute('aria-label', checked ? l10n.t('Done') : l10n.t('To do'));
}

function table(token: Tokens.Table, into: Node): void {
  const scroller = append(into, 'div');
  scroller.className = 'table fade-x';
  // If it is wider than the panel, the keyboard can scroll it.
  scroller.tabIndex = 0;
  scroller.setAttribute('role', 'group');
  scroller.setAttribute('aria-label', l10n.t('Table'));
  const element = append(scroller, 'table');
  row(token.header, append(append(element, 'thead'), 'tr'), 'th');
  const body = append(element, 'tbody');
  for (const cells of token.rows) row(cells, append(body, 'tr'), 'td');
  setDirection(element);
}

function row(cells: readonly Tokens.TableCell[], into: Node, tag: string): void {
  for (const cell of cells) {
    const element = append(into, tag);
    if (cell.align) element.className = `align-${cell.align}`;
    inlines(cell.tokens, element);
  }
}

const INLINE_TAGS: ReadonlySet<string> = new Set([
  'b',
  'code',
  'del',
  'em',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'strong',
  'sub',
  'sup',
  'u',
  'var',
]);

/** Inline HTML arrives tag by tag. Formatting tags without attributes open and close elements; others are text. */
function inlines(tokens: readonly Token[], into: Node): void {
  const open: { readonly tag: string; readonly parent: Node }[] = [];
  let target = into;
  for (const token of tokens as readonly Tokens.Generic[]) {
    if (token.type !== 'html') {
      inline(token, target);
      continue;
    }
    const match = /^<(\/?)([a-z]+)\s*(\/?)>$/i.exec(token.raw);
    const tag = match?.[2]?.toLowerCase() ?? '';
    const at = match?.[1] ? open.findLastIndex((o) => o.tag === tag) : -1;
    if (tag === 'br' || tag === 'wbr') append(target, tag);
    else if (at >= 0) target = open.splice(at)[0]!.parent;
    else if (INLINE_TAGS.has(tag) && !match?.[1] && !match?.[3]) {
      open.push({ tag, parent: target });
      target = append(target, tag);
    } else text(token.raw, target);
  }
}

function inline(token: Tokens.Generic, into: Node): void {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      inlines(token.tokens ?? [], append(into, token.type));
      return;
    case 'codespan':
      append(codeHolder(String(token['text']), into), 'code').textContent = visibleCode(String(token['text']));
      return;
    case 'br':
      append(into, 'br');
      return;
    case 'escape':
      text(String(token['text']), into);
      return;
    case 'link': {
      const literal = token['autolink'] === true;
      const href = literal ? String(token['href']) : decodeEntities(String(token['href']));
      const element = linkElement(href, token['title'] ? decodeEntities(String(token['title'])) : undefined);
      into.appendChild(element);
      if (literal) text(String(token['text']), element);
      else inlines(token.tokens ?? [], element);
      showTrueHost(element);
      return;
    }
    case 'math':
      into.appendChild(mathElement(String(token['tex']), token['display'] === true));
      return;
    case 'subscript':
      append(into, 'sub').textContent = visibleProse(String(token['text']));
      return;
    case 'footnoteReference':
      into.appendChild(footnoteReferenceElement(String(token['label'])));
      return;
    case 'image':
      into.appendChild(imageElement(decodeEntities(String(token['href'])), decodeEntities(String(token['text']))));
      return;
    case 'checkbox':
      checkbox(token['checked'] === true, into);
      return;
    default:
      if (token.tokens) inlines(token.tokens, into);
      else appendWithPaths(decodeEntities(String(token['text'] ?? token.raw)), into, text);
  }
}

function append(into: Node, tag: string): HTMLElement {
  return into.appendChild(document.createElement(tag));
}

/** Joins adjacent texts to one node, so that the DOM does not depend on the parser's cuts. */
function text(value: string, into: Node): void {
  const shown = visibleProse(value);
  const last = into.lastChild;
  if (last?.nodeType === Node.TEXT_NODE) (last as Text).appendData(shown);
  else if (shown !== '') into.appendChild(document.createTextNode(shown));
}
