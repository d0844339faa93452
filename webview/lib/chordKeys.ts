import { isMac } from './mac';

/** VS Code waits so long for the second key of a chord, in ms. */
const CHORD_MS = 5_000;

/**
 * Keeps the second key of a chord, such as the A of Ctrl+K A, from being typed or carried out here as well: VS Code
 * runs its command, yet hears of the key only after the panel did. Handlers of such keys leave alone what is
 * `defaultPrevented`.
 */
export function leaveChordsToVsCode(): void {
  let begunAt = -Infinity;
  const handle = (event: KeyboardEvent) => {
    if (event.isComposing || ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return;
    const isSecond = event.timeStamp - begunAt < CHORD_MS;
    // Ctrl+K on a Mac takes away the rest of a line.
    const begins =
      event.key.toLowerCase() === 'k' &&
      (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
      !event.altKey &&
      !event.shiftKey;
    begunAt = begins && !isSecond ? event.timeStamp : -Infinity;
    if (isSecond) event.preventDefault();
  };
  window.addEventListener('keydown', handle, true);
}
