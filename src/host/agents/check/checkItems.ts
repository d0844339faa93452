import { plainText } from '../../platform/plainText';
import { type CheckOffer, type CheckStep, type CheckView, stepLabels } from './checkSteps';

/** What a row of the check's list does when it is chosen. */
export type CheckAct = CheckOffer | 'cancel' | 'copy' | 'again' | 'showLog';

/** A row of the check's list. */
export interface CheckItem {
  readonly label: string;
  readonly description?: string;
  readonly act?: CheckAct;
  readonly isSeparator?: boolean;
}

const icons: Readonly<Record<CheckStep['state'], string>> = { pending: 'circle-large-outline', running: 'loading~spin', passed: 'pass', failed: 'error', skipped: 'circle-slash' };

/** Read aloud, where the icon is not. */
const states: Readonly<Record<CheckStep['state'], string>> = { pending: 'Waiting', running: 'Running', passed: 'Passed', failed: 'Failed', skipped: 'Skipped' };

const acts: Readonly<Record<CheckAct, Omit<CheckItem, 'act'>>> = {
  install: { label: '$(desktop-download) Install and Check' },
  signIn: { label: '$(account) Sign In' },
  editSettings: { label: '$(gear) Edit Settings' },
  manageTrust: { label: '$(shield) Manage Workspace Trust' },
  openFolder: { label: '$(folder-opened) Open Folder' },
  useScratchFolder: { label: '$(folder) Use Scratch Folder', description: 'An empty folder that Parley keeps.' },
  sendPrompt: { label: '$(comment) Send a Test Prompt', description: 'Sends one short message, which may cost tokens.' },
  cancel: { label: '$(debug-stop) Cancel' },
  copy: { label: '$(copy) Copy Report', description: 'As Markdown, without secrets.' },
  again: { label: '$(refresh) Check Again' },
  showLog: { label: '$(output) Show Log' },
};

/** Characters of a row of VS Code's lists; what is longer goes on in the next row. */
const rowLength = 80;
const errorLines = 5;

/** Lines of a stack, and lines without words: the report has them. */
const noise = /^\s*(?:at .*|\W*)$/;

/** The rows of a check: its steps, what helps with the one that failed, and what can be done next. */
export function checkItems(view: CheckView): readonly CheckItem[] {
  const { steps, stderr, offers, isRunning } = view;
  const failed = steps.find(({ state }) => state === 'failed');
  const next: readonly CheckAct[] = isRunning ? ['cancel'] : [...offers, 'again', 'copy', ...(failed ? (['showLog'] as const) : [])];
  const lines = failed && stderr ? stderr.split('\n').filter((line) => !noise.test(line)).slice(-errorLines) : [];
  return [
    ...steps.flatMap(stepItems),
    ...(lines.length === 0 ? [] : [{ label: 'Error output', isSeparator: true }, ...lines.map((line) => ({ label: plainText(line, 300) }))]),
    { label: isRunning ? '' : 'Next', isSeparator: true },
    ...next.map((act) => ({ ...acts[act], act })),
  ];
}

function stepItems({ id, state, text, help }: CheckStep): CheckItem[] {
  const label = `$(${icons[state]}) ${stepLabels[id]}`;
  if (state !== 'failed') return [{ label, description: [states[state], text && plainText(text, 200)].filter(Boolean).join(': ') }];
  return [{ label, description: states[state] }, ...rows('blank', text), ...rows('lightbulb', help)];
}

function rows(icon: string, text = ''): CheckItem[] {
  return wrapped(plainText(text, 600)).map((line, at) => ({ label: `$(${at === 0 ? icon : 'blank'}) ${line}` }));
}

/** A text in lines that fit into a row. A word that is longer than a row stays whole. */
export function wrapped(text: string, length = rowLength): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > length) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.filter((line) => line !== '');
}
