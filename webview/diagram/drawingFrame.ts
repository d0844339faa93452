import { text as program } from 'diagram-program';
import type { DiagramTheme, DrawAnswer, Drawing } from './drawing';

/** The result of a drawing. `unavailable`: there is no frame here, so nothing can be drawn. */
export type Outcome =
  | { readonly kind: 'drawn'; readonly drawing: Drawing }
  | { readonly kind: 'wrong'; readonly line: number }
  | { readonly kind: 'slow' | 'unavailable' };

/** How long one drawing may take, and the start of the program. */
const DRAW_MS = 5_000;
const START_MS = 20_000;
/**
 * The frame normally has its own thread. If the time limit fires this late, it did not, and a drawing blocked the
 * panel: then no more are drawn.
 */
const LATE_MS = 3_000;
/** An idle frame is removed after this time: it uses tens of megabytes. */
const IDLE_MS = 60_000;
/** A larger drawing is not useful. */
const MOST_SVG = 3_000_000;
const MOST_PIXELS = 20_000;

/** The frame's first script, as a text. The program follows as a message: within HTML it would have to be escaped. */
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

/** Draws diagrams outside the panel, one after the other. @param isWanted called when its turn has come */
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
  // It may run for ever; only removing its frame ends it.
  if (answer === undefined) return { kind: 'slow' };
  idle = setTimeout(closeFrame, IDLE_MS);
  return outcomeOf(answer);
}

/** The program has processed hostile text, so its answer is checked. */
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
 * Opens the frame. Mermaid styles its drawings inline, which the panel's policy forbids also in frames that get their
 * text from the panel. So there are two: the outer is an empty document that VS Code serves next to the panel's own,
 * which therefore inherits no policy and gets a stricter one: no network at all, but inline style. It runs nothing. The
 * inner, which inherits that, has an origin of its own and runs the program.
 */
async function openFrame(): Promise<MessagePort | undefined> {
  // Next to the panel's document; if that is in a folder of its own, at the root.
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
  // Any document other than the empty one must not be used.
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
  // Its opaque origin cannot be named. The message has no secrets.
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

/** The result of a promise, or undefined after a time. */
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
