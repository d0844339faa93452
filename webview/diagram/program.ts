import mermaid from 'mermaid';
import type { DiagramTheme, DrawAnswer, DrawRequest } from './drawing';
import { mermaidVariables } from './mermaidVariables';

/* The program in the frame. It has an origin of its own, no network and no way to the panel but one port. */

/** More arrows than this take seconds to lay out. */
const MOST_EDGES = 300;

/** What a diagram must not choose for itself: what it may do, its limits, and the theme, which is the user's. */
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

/** HTML that only formats: it would be shown as it is written. */
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
    // What a failed drawing left behind.
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
    // What Mermaid lays out best. Strict, it makes text of the HTML in them.
    htmlLabels: true,
    theme: 'base',
    darkMode: theme.isDark,
    themeVariables: mermaidVariables(theme),
    fontFamily,
    fontSize,
    layout: 'dagre',
    look: 'classic',
    // Shorter than Mermaid's, whose dates overlap.
    gantt: { axisFormat: '%b %d' },
  });
}

/** Makes an image of its own of what is drawn for a page: well-formed, with its size. */
function standalone(
  text: string,
  theme: DiagramTheme,
): { readonly svg: string; readonly width: number; readonly height: number } {
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg')!;
  const box = svg.viewBox.baseVal;
  const width = Math.ceil(box.width || Number.parseFloat(svg.getAttribute('width') ?? '') || 300);
  const height = Math.ceil(box.height || Number.parseFloat(svg.getAttribute('height') ?? '') || 150);
  for (const node of svg.querySelectorAll<SVGElement>('g.node')) keepReadable(node, theme);
  // For what has no colour of its own.
  svg.style.color = theme.line;
  svg.style.removeProperty('max-width');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

/** A node that the diagram fills with a colour of its own gets a text that can be read on it. */
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

/** 0 to 255, or undefined for what is no opaque colour. */
function brightnessOf(colour: string): number | undefined {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
  canvas.fillStyle = colour;
  const parts = /^#(..)(..)(..)$/
    .exec(canvas.fillStyle)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16));
  return parts && parts[0]! * 0.3 + parts[1]! * 0.59 + parts[2]! * 0.11;
}
