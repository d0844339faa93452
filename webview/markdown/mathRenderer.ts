import temml from 'temml';
import { visibleProse } from '../../src/base/visibleText';

const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
/** The most elements of one formula. */
const MOST_NODES = 3_000;
/** The longest length that a formula may set, in any unit. */
const MOST_LENGTH = 100;

const TAGS: ReadonlySet<string> = new Set([
  'math',
  'mrow',
  'mi',
  'mn',
  'mo',
  'ms',
  'mspace',
  'mtext',
  'mfrac',
  'msqrt',
  'mroot',
  'mstyle',
  'mpadded',
  'mphantom',
  'menclose',
  'msub',
  'msup',
  'msubsup',
  'munder',
  'mover',
  'munderover',
  'mmultiscripts',
  'mprescripts',
  'mtable',
  'mtr',
  'mtd',
  'none',
  'span',
]);
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'accent',
  'accentunder',
  'columnalign',
  'columnspan',
  'columnspacing',
  'depth',
  'display',
  'displaystyle',
  'fence',
  'form',
  'height',
  'largeop',
  'linethickness',
  'lspace',
  'mathvariant',
  'maxsize',
  'minsize',
  'movablelimits',
  'notation',
  'rowspacing',
  'rowspan',
  'rspace',
  'scriptlevel',
  'separator',
  'stretchy',
  'symmetric',
  'voffset',
  'width',
]);
/** Styles that do not place, colour or turn anything: a formula must not cover or hide its surroundings. */
const STYLES: ReadonlySet<string> = new Set([
  'border',
  'borderTop',
  'borderBottom',
  'borderLeft',
  'borderRight',
  'display',
  'fontWeight',
  'marginLeft',
  'marginRight',
  'mathDepth',
  'math-depth',
  'padding',
  'paddingTop',
  'paddingBottom',
  'paddingLeft',
  'paddingRight',
  'textAlign',
  'width',
]);

interface TreeNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TreeNode[];
}

/**
 * Draws TeX as MathML. The library makes a tree of values, and each element is created here, with names that are known
 * to be harmless: no links, scripts, positions or colours.
 * @returns undefined for invalid TeX
 */
export function drawMath(tex: string, display: boolean): Element | undefined {
  try {
    const tree = temml.__renderToMathMLTree(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      maxExpand: 300,
      maxSize: [20, 20],
      wrap: 'none',
    }) as TreeNode;
    const room = { left: MOST_NODES };
    const root = element(tree, room) as Element;
    return room.left < 0 || !root.hasChildNodes() ? undefined : root;
  } catch {
    return undefined;
  }
}

function element(node: TreeNode, room: { left: number }): Node {
  if (room.left-- < 0) return document.createTextNode('');
  if (node.text !== undefined) return document.createTextNode(visibleProse(node.text));
  const known = node.type !== undefined && TAGS.has(node.type);
  // The library's fragments have no type; an unknown node becomes a row.
  const made =
    node.type === undefined && node.children?.length !== 1
      ? document.createDocumentFragment()
      : document.createElementNS(NAMESPACE, known && node.type !== 'span' ? node.type! : 'mrow');
  if (made instanceof Element) {
    for (const [name, value] of Object.entries(node.attributes ?? {}))
      if (ATTRIBUTES.has(name) && isHarmless(String(value))) made.setAttribute(name, String(value));
    const classes = (node.classes ?? []).filter((name) => /^(?:tml-|math|chr-)[\w-]*$/.test(name));
    if (classes.length > 0) made.setAttribute('class', classes.join(' '));
    const { style } = made as MathMLElement;
    for (const [name, value] of Object.entries(node.style ?? {})) {
      if (STYLES.has(name) && isHarmless(String(value)))
        style.setProperty(
          name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
          String(value),
        );
    }
  }
  for (const child of node.children ?? []) made.appendChild(element(child, room));
  return made;
}

function isHarmless(value: string): boolean {
  return (
    /^[\w\s.%+-]{1,60}$/.test(value) &&
    (value.match(/\d+(?:\.\d+)?/g) ?? []).every((number) => Number(number) <= MOST_LENGTH)
  );
}
