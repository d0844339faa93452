import { homedir } from 'node:os';
import { visibleLine } from '../../../base/visibleText';
import { withoutSecretText } from '../../../permission/secretText';
import { type CheckStep, type CheckView, stepLabels } from './checkSteps';

/** Where the check ran, for a report. */
export interface CheckSurroundings {
  /** Of Parley. */
  readonly version: string;
  readonly vscode: string;
  /** Such as "linux x64". */
  readonly system: string;
  readonly home?: string;
}

const marks: Readonly<Record<CheckStep['state'], string>> = { pending: '–', running: '…', passed: '✓', failed: '✗', skipped: '–' };

/** A check as Markdown, to be pasted into a report. Secrets and the name of the user's own folder are left out. */
export function checkReport({ agent, steps, stderr, isCancelled }: CheckView, { version, vscode, system, home = homedir() }: CheckSurroundings): string {
  const clean = (text: string) => withoutSecretText(home.length > 1 ? text.replaceAll(home, '~') : text);
  const line = (text: string) => escaped(visibleLine(clean(text), 2_000));
  return [
    `## Check of ${line(agent)}`,
    '',
    `Parley ${version}, VS Code ${vscode}, ${system}${isCancelled ? '. The check was cancelled.' : ''}`,
    '',
    ...steps.flatMap(({ id, state, text, help }) => [`- ${marks[state]} **${stepLabels[id]}**${text ? `: ${line(text)}` : state === 'skipped' ? ': not checked' : ''}`, ...(help ? [`  - ${line(help)}`] : [])]),
    ...(stderr ? ['', 'Error output:', '', ...fenced(clean(stderr))] : []),
    '',
  ].join('\n');
}

/** An agent's words must not become links, pictures or headings of a report. */
function escaped(text: string): string {
  return text.replace(/[\\`*<>[\]]/g, '\\$&');
}

function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, text, fence];
}
