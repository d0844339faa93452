import { isMac } from './mac';

/** How long VS Code waits for the second key of a chord, in ms. */
const CHORD_MS = 5_000;

/**
 * Keeps the second key of a chord, such as the A of Ctrl+K A, from also having an effect here: VS Code runs its
 * command, but gets the key only after the panel. Handlers of such keys ignore `defaultPrevented` events.
 */
export function leaveChordsToVsCode(): void {
  let begunAt = -Infinity;
  const handle = (event: KeyboardEvent) => {
    if (event.isComposing || ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return;
    const isSecond = event.timeStamp - begunAt < CHORD_MS;
    // Ctrl+K on a Mac deletes the rest of a line.
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
