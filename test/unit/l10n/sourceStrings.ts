import { parseSync } from 'vite';

/** A text in a source file that a user could read. */
export interface SourceString {
  /** Counted from 1. */
  readonly line: number;
  /** Each value in it is `{}`. */
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What the strings of a file are to a translator. */
export interface SourceStrings {
  /** Texts that look like words for a user and are in no `l10n.t`. */
  readonly outside: readonly SourceString[];
  /** Calls of `l10n.t` that run when their module is loaded, before the translation is there. */
  readonly early: readonly SourceString[];
  /** Messages of `l10n.t` that are no literal: the export does not find them. */
  readonly computed: readonly SourceString[];
  /** Keys of the messages of `l10n.t`, as the export writes them. */
  readonly keys: readonly string[];
}

/**
 * Finds the strings of a TypeScript file that no translation reaches.
 * @param file its name, for the parser's errors
 */
export function sourceStrings(file: string, source: string): SourceStrings {
  const { program, errors } = parseSync(file, source, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const outside: SourceString[] = [];
  const early: SourceString[] = [];
  const computed: SourceString[] = [];
  const keys: string[] = [];
  const at = (node: Node, text: string): SourceString => ({
    line: source.slice(0, node.start).split('\n').length,
    text,
  });

  /** @param isForUsers false within what only developers read, where a translation may be all the same */
  const visit = (node: Node, parents: readonly Node[], isForUsers = true): void => {
    if (isType(node)) return;
    if (isTranslation(node)) {
      if (!parents.some(isFunction)) early.push(at(node, source.slice(node.start, node.end)));
      if (node.type === 'CallExpression') {
        const [message, ...args] = node['arguments'] as readonly Node[];
        if (!isMessage(message)) computed.push(at(node, source.slice(node.start, node.end)));
        else keys.push(keyOf(message!));
        for (const arg of args) visit(arg, [...parents, node], isForUsers);
      } else {
        keys.push(keyOf(node['quasi'] as Node));
        for (const value of (node['quasi'] as Node)['expressions'] as readonly Node[])
          visit(value, [...parents, node], isForUsers);
      }
      return;
    }
    const isRead = isForUsers && !isForDevelopers(node) && !isStyle(node);
    const text = isRead ? textOf(node) : undefined;
    if (text !== undefined) {
      const parts =
        isMarkup(parents.at(-1)) || text.startsWith('<') ? wordsOfMarkup(text) : isName(node, parents) ? [] : [text];
      for (const part of parts) if (isProse(part)) outside.push(at(node, part));
    }
    for (const child of children(node)) visit(child, [...parents, node], isRead);
  };
  visit(program as unknown as Node, []);
  return { outside, early, computed, keys };
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function isType({ type }: Node): boolean {
  return (
    /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression|ParameterProperty|InstantiationExpression)/.test(type) ||
    /^(Import|ExportAll)/.test(type)
  );
}

function isFunction({ type }: Node): boolean {
  return /Function/.test(type) || type === 'MethodDefinition';
}

function isTranslation({ type, callee, tag }: Node): boolean {
  const called = (type === 'CallExpression' ? callee : type === 'TaggedTemplateExpression' ? tag : undefined) as
    | Node
    | undefined;
  return (
    called?.type === 'MemberExpression' &&
    nameOf(called['object'] as Node) === 'l10n' &&
    nameOf(called['property'] as Node) === 't'
  );
}

function isMessage(node: Node | undefined): boolean {
  return (
    node !== undefined &&
    (node.type === 'ObjectExpression' ||
      (node.type === 'Literal' && typeof node['value'] === 'string') ||
      (isJoined(node) && isMessage(node['left'] as Node) && isMessage(node['right'] as Node)) ||
      (node.type === 'TemplateLiteral' && (node['expressions'] as readonly Node[]).length === 0))
  );
}

/** A text cut over several lines. */
function isJoined({ type, operator }: Node): boolean {
  return type === 'BinaryExpression' && operator === '+';
}

/** The message with numbered placeholders; after it the comment, where it has one. */
function keyOf(node: Node): string {
  if (node.type === 'Literal') return node['value'] as string;
  if (isJoined(node)) return keyOf(node['left'] as Node) + keyOf(node['right'] as Node);
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as readonly Node[])
      .map((part, i) => `${i === 0 ? '' : `{${i - 1}}`}${(part['value'] as { readonly cooked: string }).cooked}`)
      .join('');
  const fields = node['properties'] as readonly Node[];
  const valueOf = (name: string) =>
    fields.find((field) => nameOf(field['key'] as Node) === name)?.['value'] as Node | undefined;
  const comment = valueOf('comment');
  const lines =
    comment?.type === 'ArrayExpression'
      ? (comment['elements'] as readonly Node[]).map(keyOf)
      : comment
        ? [keyOf(comment)]
        : [];
  return [keyOf(valueOf('message')!), ...(lines.length > 0 ? [lines.join('')] : [])].join('/');
}

function nameOf(node: Node | undefined): string {
  if (node?.type === 'MemberExpression') return nameOf(node['property'] as Node);
  return typeof node?.['name'] === 'string' ? node['name'] : '';
}

/**
 * Lines of the log (decoders hand them to `issue`), answers to the agent, and errors that say that Parley's own code is
 * wrong.
 */
function isForDevelopers(node: Node): boolean {
  if (node.type === 'NewExpression') return /^(Acp|Tool)Error$/.test(nameOf(node['callee'] as Node));
  if (node.type !== 'CallExpression') return false;
  const callee = node['callee'] as Node;
  const method = nameOf(callee);
  const object = callee.type === 'MemberExpression' ? nameOf(callee['object'] as Node) : '';
  if (object === 'AcpError') return true;
  return (
    (/^(info|warn|error|debug|trace|log)$/.test(method) && /log/i.test(`${object}${method}`)) ||
    /^(log|issue|assert|querySelector|querySelectorAll|closest|matches)$/.test(method)
  );
}

/** Names of classes and values of styles, wherever they are put together. */
function isStyle({ type, callee, left }: Node): boolean {
  if (type === 'AssignmentExpression') return nameOf(left as Node) === 'className';
  return type === 'CallExpression' && /^(icon|setProperty)$/.test(nameOf(callee as Node));
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as readonly Node[])
      .map((part) => (part['value'] as { readonly cooked: string }).cooked)
      .join('{}');
  return undefined;
}

function isMarkup(node: Node | undefined): boolean {
  return node?.type === 'TaggedTemplateExpression' && /^(html|svg)$/.test(nameOf(node['tag'] as Node));
}

/** The text nodes of markup, and the attributes that are read aloud or shown. */
function wordsOfMarkup(markup: string): string[] {
  const attributes = [
    ...markup.matchAll(/\b(?:title|aria-label|placeholder|alt|aria-description|aria-roledescription)="([^"]*)"/g),
  ].map((match) => match[1]!);
  const texts = markup
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^<>]*?>/g, '\n')
    .split('\n')
    .map((line) => line.trim());
  return [...attributes, ...texts];
}

/** Names of classes, keys and events, which have blanks but are no words. */
function isName(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  if (parent?.type === 'TSEnumMember' || parent?.type === 'ExportNamedDeclaration') return true;
  if (parent?.type === 'BinaryExpression' && parent['operator'] !== '+') return true;
  if (parent?.type === 'SwitchCase') return true;
  if ((parent?.type === 'Property' || parent?.type === 'PropertyDefinition') && parent['key'] === node) return true;
  if (
    parent?.type === 'AssignmentExpression' &&
    /^(className|innerHTML|id|type|role|tabIndex)$/.test(nameOf(parent['left'] as Node))
  )
    return true;
  return parents.some((one) => one.type === 'TSTypeAnnotation');
}

/** Lengths of a style, and sources of a content security policy. */
const isForBrowsers = (text: string): boolean => /^(?:\d+px|[a-z]+-src) /.test(text);

/** Two words, or one with a capital: what a reader may meet. Identifiers, paths, keys and colours are none. */
export function isProse(text: string): boolean {
  if (isForBrowsers(text)) return false;
  const line = text
    .replaceAll('{}', ' ')
    .replace(/\$\([\w~-]+\)/g, ' ')
    .trim();
  return (
    /[a-z]{2,}[,;:.!?]? +[\p{L}`“"(]*[a-z]{2,}/u.test(line) ||
    /^[A-Z][a-z]+[….:!?]?$/.test(line) ||
    /^[A-Z][a-z]+ /.test(line)
  );
}
