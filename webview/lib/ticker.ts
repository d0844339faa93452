import { formatDuration, formatElapsed } from '../../src/protocol/format';

const running = new Set<HTMLElement>();
let timer: ReturnType<typeof setInterval> | undefined;

/** A text that counts the seconds since a moment, for as long as it is in the document. */
export function elapsedElement(since: number): HTMLElement {
  const element = document.createElement('span');
  element.className = 'elapsed';
  element.dataset['since'] = String(since);
  show(element);
  running.add(element);
  timer ??= setInterval(tick, 1000);
  return element;
}

function tick(): void {
  for (const element of running) {
    if (element.isConnected) show(element);
    else running.delete(element);
  }
  if (running.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function show(element: HTMLElement): void {
  const text = formatElapsed(Date.now() - Number(element.dataset['since']));
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A text that counts down to a moment, for as long as it is in the document.
 * @param until epoch milliseconds
 * @param onDidEnd called once, when the moment has come
 */
export function countdownElement(until: number, onDidEnd: () => void): HTMLElement {
  const element = document.createElement('span');
  element.className = 'countdown';
  let wasShown = false;
  const tick = () => {
    wasShown ||= element.isConnected;
    if (wasShown && !element.isConnected) return;
    const left = until - Date.now();
    if (left <= 0) return onDidEnd();
    element.textContent = formatDuration(Math.ceil(left / 1000) * 1000);
    setTimeout(tick, left % 1000 || 1000);
  };
  tick();
  return element;
}
