import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../src/base/numberText';
import { translateMarks } from '../src/protocol/translateMarks';
import { loadOptionMenu } from './composer/optionButtons';
import { Host } from './host';
import { leaveChordsToVsCode } from './lib/chordKeys';
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
