import { formatDuration } from './format';

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
