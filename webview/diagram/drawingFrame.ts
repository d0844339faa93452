import { text as program } from 'diagram-program';
import type { DiagramTheme, DrawAnswer, Drawing } from './drawing';

/** What came of a drawing. `unavailable`: there is no frame here, so nothing can be drawn. */
export type Outcome =
  | { readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly kind: 'wrong'; readonly line: number }
  | { readonly kind: 'slow' | 'unavailable' };

/** How long one drawing may take, and the start of the program. */
const DRAW_MS = 5_000;
const START_MS = 20_000;
/**
 * The frame has a thread of its own. If the limit comes so late, it had none, and a drawing held up the panel: that was
 * the last.
 */
const LATE_MS = 3_000;
/** A frame that has nothing to draw for so long is removed: it has tens of megabytes. */
const IDLE_MS = 60_000;
/** What is larger is no drawing to look at. */
const MOST_SVG = 3_000_000;
const MOST_PIXELS = 20_000;

/**
 * What runs in the frame at first, as a text. The program comes as a message: within HTML it would have to be escaped.
 */
function boot(): void {
  window.addEventListener(
    'message',
    ({ data }: MessageEvent<string>) => {
      const script = document.createElement('script');
      script.nonce = document.querySelector('script')!.nonce;
      script.append(data);
      document.head.append(script);
    },
    { once: true },
  );
}

let element: HTMLIFrameElement | undefined;
let port: MessagePort | undefined;
let isImpossible = false;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
let last: Promise<unknown> = Promise.resolve();

/** Draws a diagram apart from the panel, one after the other. @param isWanted asked when its turn has come */
export function draw(code: string, theme: DiagramTheme, isWanted: () => boolean): Promise<Outcome | undefined> {
  const result = last.then(() => (isWanted() ? drawNext(code, theme) : undefined));
  last = result.catch(() => undefined);
  return result;
}

async function drawNext(code: string, theme: DiagramTheme): Promise<Outcome> {
  clearTimeout(idle);
  port ??= isImpossible ? undefined : await within(START_MS, openFrame());
  if (!port) {
    closeFrame();
    isImpossible = true;
    return { kind: 'unavailable' };
  }
  const used = port;
  const id = ++lastId;
  const start = performance.now();
  const answer = await within(
    DRAW_MS,
    new Promise<DrawAnswer | null>((resolve) => {
      used.onmessage = ({ data }: MessageEvent<DrawAnswer | null>) => resolve(data);
      used.postMessage({ id, code, theme });
    }),
  );
  isImpossible = performance.now() - start > DRAW_MS + LATE_MS && !document.hidden;
  if (answer === undefined || isImpossible) closeFrame();
  // It may be busy for ever; only without its frame it ends.
  if (answer === undefined) return { kind: 'slow' };
  idle = setTimeout(closeFrame, IDLE_MS);
  return outcomeOf(answer);
}

/** The program had hostile text before it: what it says is checked. */
function outcomeOf(
  answer: {
    readonly svg?: unknown;
    readonly width?: unknown;
    readonly height?: unknown;
    readonly line?: unknown;
  } | null,
): Outcome {
  const { svg, width, height, line } = answer ?? {};
  if (typeof svg === 'string' && svg.length <= MOST_SVG && isLength(width) && isLength(height))
    return { kind: 'drawn', drawing: { svg, width, height } };
  return { kind: 'wrong', line: typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : 0 };
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= MOST_PIXELS;
}

/**
 * Opens the frame. Mermaid styles what it draws inline, which the panel's policy forbids also in frames that get their
 * text from the panel. So there are two: the outer is an empty document that VS Code serves beside the panel's own,
 * which therefore inherits no policy and gets a stricter one: no network at all, but inline style. It runs nothing. The
 * inner, which inherits that, has an origin of its own and runs the program.
 */
async function openFrame(): Promise<MessagePort | undefined> {
  // Beside the panel's document; where that has a folder of its own, at the root.
  const addresses = new Set(['fake.html', '/fake.html'].map((name) => new URL(name, location.href).href));
  for (const address of addresses) {
    const outer = await openOuter(address);
    if (outer) return openInner(outer);
    closeFrame();
  }
  return undefined;
}

async function openOuter(address: string): Promise<Document | undefined> {
  element = document.createElement('iframe');
  element.className = 'drawing-frame';
  element.tabIndex = -1;
  element.inert = true;
  element.setAttribute('aria-hidden', 'true');
  element.src = address;
  await loaded(element, document.body);
  const outer = element.contentDocument;
  // Something else than the empty document is not for us.
  return outer?.body && outer.URL === address && !outer.querySelector('script') ? outer : undefined;
}

async function openInner(outer: Document): Promise<MessagePort> {
  const nonce = crypto.randomUUID();
  const policy = outer.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'`;
  outer.head.append(policy);
  const inner = outer.createElement('iframe');
  inner.setAttribute('sandbox', 'allow-scripts');
  inner.width = '800';
  inner.height = '600';
  inner.srcdoc = `<!DOCTYPE html><script nonce="${nonce}">(${boot.toString()})()</script><body></body>`;
  await loaded(inner, outer.body);
  const { port1, port2 } = new MessageChannel();
  const ready = new Promise((resolve) => (port1.onmessage = resolve));
  // It has no origin that could be named. Nothing of this is secret.
  inner.contentWindow?.postMessage(program, '*');
  inner.contentWindow?.postMessage(undefined, '*', [port2]);
  await ready;
  return port1;
}

function loaded(made: HTMLIFrameElement, parent: Element): Promise<void> {
  return new Promise((resolve) => {
    made.addEventListener('load', () => resolve(), { once: true });
    parent.append(made);
  });
}

function closeFrame(): void {
  port?.close();
  element?.remove();
  port = element = undefined;
}

/** What a promise gives, or undefined after a time. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => (timer = setTimeout(resolve, milliseconds))),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
