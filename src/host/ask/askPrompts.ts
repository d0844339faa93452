import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../base/visibleText';
import type { AskSubject } from './askSubject';

/** What the agent is to do. */
export type AskAct = 'explain' | 'fix' | 'review' | 'tests';

/** The words of a prompt about something that is attached. The user reads and may change them before they are sent. */
export function askPrompt(act: AskAct, subject: AskSubject): string {
  switch (act) {
    case 'explain':
      return explain(subject);
    case 'fix':
      return fix(subject);
    case 'review':
      return subject.kind === 'files'
        ? l10n.t('Review the attached files. List problems with file and line, the worst first. Change nothing.')
        : l10n.t('Review the attached code. List problems with their line, the worst first. Change nothing.');
    case 'tests':
      return l10n.t('Write tests for the attached code, in the style of the tests that the project has.');
  }
}

function explain(subject: AskSubject): string {
  switch (subject.kind) {
    case 'problems':
      return subject.diagnostics.length === 1
        ? l10n.t('Explain the attached problem and what causes it. Change nothing.')
        : l10n.t('Explain the attached problems and what causes them. Change nothing.');
    case 'terminal':
      return l10n.t('Explain the attached terminal output.');
    case 'test':
      return l10n.t('Explain what the test “{0}” checks, and why it failed if it did. Change nothing.', named(subject));
    case 'stack':
    case 'variable':
      return l10n.t('The debugger is paused. Explain the attached state and how the program got there.');
    case 'debugConsole':
      return l10n.t('Explain the attached output of the debug console.');
    case 'remark':
      return l10n.t('Explain the attached remark of a review. Change nothing.');
    case 'files':
      return l10n.t('Explain the attached files.');
    case 'selection':
      return l10n.t('Explain the attached code.');
  }
}

function fix(subject: AskSubject): string {
  switch (subject.kind) {
    case 'problems':
      return subject.diagnostics.length === 1
        ? l10n.t('Fix the attached problem. Change only what the fix needs.')
        : l10n.t('Fix the attached problems. Change only what the fix needs.');
    case 'terminal':
      return l10n.t('Find out what went wrong in the attached terminal output, and fix it.');
    case 'test':
      return l10n.t('Make the test “{0}” pass. Fix the code, or the test if the test is wrong.', named(subject));
    case 'stack':
    case 'variable':
      return l10n.t('The debugger is paused. Find the bug behind the attached state, and fix it.');
    case 'debugConsole':
      return l10n.t('Find out what went wrong in the attached output of the debug console, and fix it.');
    case 'remark':
      return l10n.t('Look into the attached remark of a review. If it is right, fix the code.');
    case 'files':
    case 'selection':
      return l10n.t('Find and fix the bugs in the attached code.');
  }
}

function named({ label }: { readonly label: string }): string {
  return visibleLine(label, 200);
}
