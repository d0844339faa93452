import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../src/base/numberText';
import { translateMarks } from '../src/protocol/translateMarks';
import { loadOptionMenu } from './composer/optionButtons';
import { Host } from './host';
import { isMac } from './lib/mac';
import { Panel } from './panel';

writeNumbersIn(document.documentElement.lang);
const translation = document.getElementById('translation')?.textContent;
if (translation) {
  l10n.config({ contents: translation });
  translateMarks();
}

const host = new Host();
window.addEventListener('error', (event) => host.log(event.error ?? event.message));
window.addEventListener('unhandledrejection', (event) => host.log(event.reason));

leaveChordsToVsCode();
const panel = new Panel(host, document.getElementById('root')!);
host.listen((message) => panel.receive(message));
for (const type of ['focus', 'blur'] as const)
  window.addEventListener(type, () => host.post({ type: 'focus/changed', focused: type === 'focus' }));
// Also send false: a tab that was moved to another window starts anew.
host.post({ type: 'focus/changed', focused: document.hasFocus() });
host.post({ type: 'ready' });
requestIdleCallback(() => void loadOptionMenu());

/** How long VS Code waits for the second key of a chord, in ms. */
const CHORD_MS = 5_000;

/**
 * Keeps the second key of a chord, such as the A of Ctrl+K A, from also having an effect here: VS Code runs its
 * command, but gets the key only after the panel. Handlers of such keys ignore `defaultPrevented` events.
 */
function leaveChordsToVsCode(): void {
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
