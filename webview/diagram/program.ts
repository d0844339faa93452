import mermaid from 'mermaid';
import type { DiagramTheme, DrawAnswer, DrawRequest } from './drawing';
import { mermaidVariables } from './mermaidVariables';

/* /* The program in the frame. It has its own origin, no network and no connection to the panel except one port. */

/** More arrows than this take seconds to lay out. */
const MOST_EDGES = 300;

/** Settings that a diagram must not change: its permissions, its limits, and the user's theme. */
const SECURE = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'dompurifyConfig',
  'theme',
  'themeVariables',
  'themeCSS',
  'darkMode',
  'fontFamily',
  'altFontFamily',
  'layout',
  'logLevel',
  'legacyMathML',
  'forceLegacyMathML',
  'arrowMarkerAbsolute',
  'deterministicIds',
];

/** HTML that only formats: Mermaid would show it literally. */
const FORMATTING = /<\/?(?:b|i|u|s|em|strong|small|big|code|span|font|center)(?:\s[^<>]*)?>/gi;

window.addEventListener(
  'message',
  ({ ports: [port] }) => {
    port!.onmessage = ({ data }: MessageEvent<DrawRequest>) =>
      void answer(data).then((said) => port!.postMessage(said));
    port!.postMessage('ready');
  },
  { once: true },
);

async function answer({ id, code, theme }: DrawRequest): Promise<DrawAnswer> {
  try {
    configure(theme);
    const { svg } = await mermaid.render(`diagram-${id}`, code.replace(FORMATTING, ''));
    return { id, ...standalone(svg, theme) };
  } catch (error) {
    return { id, line: Number(/\bline:? (\d+)/i.exec(String(error))?.[1] ?? 0) };
  } finally {
    // Remove the remains of a failed drawing.
    document.body.replaceChildren();
  }
}

function configure(theme: DiagramTheme): void {
  const { fontFamily, fontSize } = theme;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    secure: SECURE,
    suppressErrorRendering: true,
    logLevel: 'fatal',
    maxEdges: MOST_EDGES,
    deterministicIds: true,
    // Mermaid's best layout. In strict mode, HTML in labels becomes text.
    htmlLabels: true,
    theme: 'base',
    darkMode: theme.isDark,
    themeVariables: mermaidVariables(theme),
    fontFamily,
    fontSize,
    layout: 'dagre',
    look: 'classic',
    // Shorter than Mermaid's format, whose dates overlap.
    gantt: { axisFormat: '%b %d' },
  });
}

/** Turns a drawing for a page into a separate image: well-formed, with its size. */
function standalone(
  text: string,
  theme: DiagramTheme,
): { readonly svg: string; readonly width: number; readonly height: number } {
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg')!;
  const box = svg.viewBox.baseVal;
  const width = Math.ceil(box.width || Number.parseFloat(svg.getAttribute('width') ?? '') || 300);
  const height = Math.ceil(box.height || Number.parseFloat(svg.getAttribute('height') ?? '') || 150);
  for (const node of svg.querySelectorAll<SVGElement>('g.node')) keepReadable(node, theme);
  // For elements without their own colour.
  svg.style.color = theme.line;
  svg.style.removeProperty('max-width');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

/** If the diagram fills a node with its own colour, the node's text gets a readable one. */
function keepReadable(node: SVGElement, theme: DiagramTheme): void {
  const fill = [...node.querySelectorAll<SVGElement>('[style*="fill"]')].find(
    (shape) => !shape.closest('.label') && shape.style.fill !== '',
  )?.style.fill;
  const label = node.querySelector<SVGElement>('.label');
  const brightness = fill === undefined ? undefined : brightnessOf(fill);
  if (brightness === undefined || !label || label.style.color !== '' || label.style.fill !== '') return;
  if (Math.abs(brightness - brightnessOf(theme.foreground)!) > 110) return;
  const colour = brightness > 128 ? '#000000' : '#ffffff';
  for (const text of label.querySelectorAll<SVGElement | HTMLElement>('*')) {
    text.style.setProperty('fill', colour, 'important');
    text.style.setProperty('color', colour, 'important');
  }
}

/** 0 to 255, or undefined if it is not an opaque colour. */
function brightnessOf(colour: string): number | undefined {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
  canvas.fillStyle = colour;
  const parts = /^#(..)(..)(..)$/
    .exec(canvas.fillStyle)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16));
  return parts && parts[0]! * 0.3 + parts[1]! * 0.59 + parts[2]! * 0.11;
}
