import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../../base/visibleText';
import { withoutSecretText } from '../../../permission/secretText';
import { type CheckStep, type CheckView, stepLabel } from './checkSteps';

/** The system of the check, for a report. */
export interface CheckSurroundings {
  /** Of Parley. */
  readonly version: string;
  readonly vscode: string;
  /** Such as "linux x64". */
  readonly system: string;
  readonly home?: string;
}

const marks: Readonly<Record<CheckStep['state'], string>> = {
  pending: '–',
  running: '…',
  passed: '✓',
  failed: '✗',
  skipped: '–',
};

/** A check as Markdown for a report. Secrets and the name of the user's own folder are left out. */
export function checkReport(
  { agent, steps, stderr, isCancelled }: CheckView,
  { version, vscode, system, home = homedir() }: CheckSurroundings,
): string {
  const clean = (text: string) => withoutSecretText(home.length > 1 ? text.replaceAll(home, '~') : text);
  const line = (text: string) => escaped(visibleLine(clean(text), 2_000));
  return [
    `## ${l10n.t('Check of {0}', line(agent))}`,
    '',
    [
      l10n.t('Parley {0}, VS Code {1}, {2}', version, vscode, system),
      ...(isCancelled ? [l10n.t('The check was cancelled.')] : []),
    ].join('. '),
    '',
    ...steps.flatMap(({ id, state, text, help }) => {
      const result = text ? line(text) : state === 'skipped' ? l10n.t('not checked') : undefined;
      return [
        `- ${marks[state]} **${stepLabel(id)}**${result === undefined ? '' : `: ${result}`}`,
        ...(help ? [`  - ${line(help)}`] : []),
      ];
    }),
    ...(stderr ? ['', l10n.t('Error output:'), '', ...fenced(clean(stderr))] : []),
    '',
  ].join('\n');
}

/** Escapes an agent's words, which must not become links, pictures or headings of a report. */
function escaped(text: string): string {
  return text.replace(/[\\`*<>[\]]/g, '\\$&');
}

function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, text, fence];
}
