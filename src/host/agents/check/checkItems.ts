import * as l10n from '@vscode/l10n';
import { plainText } from '../../platform/plainText';
import { type CheckOffer, type CheckStep, type CheckView, stepLabel } from './checkSteps';

/** The action of a row in the check's list. */
export type CheckAct = CheckOffer | 'cancel' | 'copy' | 'again' | 'showLog';

/** A row of the check's list. */
export interface CheckItem {
  readonly label: string;
  readonly description?: string;
  readonly act?: CheckAct;
  readonly isSeparator?: boolean;
}

const icons: Readonly<Record<CheckStep['state'], string>> = {
  pending: 'circle-large-outline',
  running: 'loading~spin',
  passed: 'pass',
  failed: 'error',
  skipped: 'circle-slash',
};

/** Read aloud, since the icon is not. */
const states: Readonly<Record<CheckStep['state'], () => string>> = {
  pending: () => l10n.t({ message: 'Waiting', comment: ['State of a step in the check of an agent.'] }),
  running: () => l10n.t({ message: 'Running', comment: ['State of a step in the check of an agent.'] }),
  passed: () => l10n.t({ message: 'Passed', comment: ['State of a step in the check of an agent.'] }),
  failed: () => l10n.t({ message: 'Failed', comment: ['State of a step in the check of an agent.'] }),
  skipped: () => l10n.t({ message: 'Skipped', comment: ['State of a step in the check of an agent.'] }),
};

const acts: Readonly<Record<CheckAct, () => Omit<CheckItem, 'act'>>> = {
  install: () => ({ label: `$(desktop-download) ${l10n.t('Install and Check')}` }),
  signIn: () => ({ label: `$(account) ${l10n.t('Sign In')}` }),
  editSettings: () => ({ label: `$(gear) ${l10n.t('Edit Settings')}` }),
  manageTrust: () => ({ label: `$(shield) ${l10n.t('Manage Workspace Trust')}` }),
  openFolder: () => ({ label: `$(folder-opened) ${l10n.t('Open Folder')}` }),
  useScratchFolder: () => ({
    label: `$(folder) ${l10n.t('Use Scratch Folder')}`,
    description: l10n.t('An empty folder in Parley’s storage.'),
  }),
  sendPrompt: () => ({
    label: `$(comment) ${l10n.t('Send a Test Prompt')}`,
    description: l10n.t('Sends one short message, which may cost tokens.'),
  }),
  cancel: () => ({ label: `$(debug-stop) ${l10n.t('Cancel')}` }),
  copy: () => ({ label: `$(copy) ${l10n.t('Copy Report')}`, description: l10n.t('As Markdown, without secrets.') }),
  again: () => ({ label: `$(refresh) ${l10n.t('Check Again')}` }),
  showLog: () => ({ label: `$(output) ${l10n.t('Show Log')}` }),
};

/** Columns of a row in VS Code's lists. Longer texts continue in the next row. */
const rowLength = 80;
const errorLines = 5;

/** Lines of a stack, and lines without words: only the report has them. */
const noise = /^(?:at .*|\W*)$/;

/** The rows of a check: its steps, advice for the failed one, and the next actions. */
export function checkItems(view: CheckView): readonly CheckItem[] {
  const { steps, stderr, offers, isRunning } = view;
  const failed = steps.find(({ state }) => state === 'failed');
  const next: readonly CheckAct[] = isRunning
    ? ['cancel']
    : [...offers, 'again', 'copy', ...(failed ? (['showLog'] as const) : [])];
  const lines =
    failed && stderr
      ? stderr
          .split('\n')
          .filter((line) => !noise.test(line.trim()))
          .slice(-errorLines)
      : [];
  return [
    ...steps.flatMap(stepItems),
    ...(lines.length === 0
      ? []
      : [
          { label: l10n.t('Error output'), isSeparator: true },
          ...lines.map((line) => ({ label: plainText(line, 300) })),
        ]),
    {
      label: isRunning ? '' : l10n.t({ message: 'Next', comment: ['Heading of what can be done next.'] }),
      isSeparator: true,
    },
    ...next.map((act) => ({ ...acts[act](), act })),
  ];
}

function stepItems({ id, state, text, help }: CheckStep): CheckItem[] {
  const label = `$(${icons[state]}) ${stepLabel(id)}`;
  if (state !== 'failed')
    return [{ label, description: [states[state](), text && plainText(text, 200)].filter(Boolean).join(': ') }];
  return [{ label, description: states[state]() }, ...rows('blank', text), ...rows('lightbulb', help)];
}

function rows(icon: string, text = ''): CheckItem[] {
  return wrapped(plainText(text, 600)).map((line, at) => ({ label: `$(${at === 0 ? icon : 'blank'}) ${line}` }));
}

/** Characters of Chinese, Japanese and Korean texts, which have two columns each. A line can end after each of them. */
const wide = '\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60';
/** Punctuation that no line begins with. */
const closing = '、。，．：；！？）」』”’';
const words = new RegExp(` *(?:[${wide}]|[^ ${wide}]+)[${closing}]*`, 'g');
const wideCharacters = new RegExp(`[${wide}]`, 'g');

/** A text in lines that fit into a row. A word that is longer than a row stays whole. */
export function wrapped(text: string, length = rowLength): string[] {
  const lines: string[] = [];
  for (const word of text.match(words) ?? []) {
    const longer = (lines.at(-1) ?? '') + word;
    if (lines.length === 0 || longer.length + (longer.match(wideCharacters)?.length ?? 0) > length)
      lines.push(word.trimStart());
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
