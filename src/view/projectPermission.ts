import type { PermissionView, RiskView } from '../protocol/permissionView';
import type { Contradiction } from '../permission/contradictions';
import { nameOf } from '../thread/permissionRequests';
import type { PendingPermission } from '../thread/thread';
import { labelOfPath, labelOfTitle } from './labels';
import { patchDiffs } from './patchText';
import { locationViews, toolContentView, wholeJson } from './toolCallParts';

/** A permission request as its card shows it: all of its subject, and nothing that its call says since. `cwd` is the session's folder. */
export function permissionView(permission: PendingPermission, cwd: string): PermissionView {
  const { subject, assessment, isChecking } = permission;
  const { description, command, commandHint } = subject;
  const folder = assessment?.cwd ?? subject.cwd;
  const input = wholeJson(subject.rawInput);
  const url = assessment?.url ?? subject.url;
  const warnings = [...warningsOf(permission), ...(assessment?.risks ?? [])];
  return {
    requestId: nameOf(permission),
    ...(permission.revision === 0 ? {} : { origin: permission.requestId }),
    title: labelOfTitle(subject.title, cwd),
    ...(description === undefined ? {} : { description }),
    ...(command ? { command: command.text } : commandHint === undefined ? {} : { command: commandHint, isFromTitle: true }),
    ...(assessment?.steps ? { steps: assessment.steps } : {}),
    ...(folder === undefined ? {} : { cwd: labelOfPath(folder, cwd) }),
    ...(warnings.length > 0 ? { risks: warnings } : {}),
    ...(url === undefined ? {} : { url }),
    content: withPatch(subject.content.flatMap((item) => toolContentView(item, cwd)), subject.rawInput, cwd),
    locations: locationViews(subject.locations, cwd),
    ...(input === undefined ? {} : { input }),
    ...drawnOptions(subject.options),
    ...(isChecking ? { isChecking } : {}),
  };
}

/** Where the agent gives no diff, the patch in its raw input is easier to read than the text, which stands below. */
function withPatch(content: PermissionView['content'], rawInput: unknown, cwd: string): PermissionView['content'] {
  return content.some(({ type }) => type === 'diff') ? content : [...content, ...patchDiffs(rawInput, cwd)];
}

/** Buttons on one card. */
const maxOptions = 100;

/** The panel draws the first options, and always a way to reject. */
function drawnOptions(all: PermissionView['options']): Pick<PermissionView, 'options' | 'moreOptions'> {
  if (all.length <= maxOptions) return { options: all };
  const first = all.slice(0, maxOptions);
  const reject = all.find(({ kind }) => kind === 'reject_once');
  const options = reject && !first.includes(reject) ? [...first, reject] : first;
  return { options, moreOptions: all.length - options.length };
}

/** What to know of the request itself, before its risks. */
function warningsOf({ subject, changedFrom }: PendingPermission): RiskView[] {
  return [
    ...(changedFrom === undefined ? [] : [{ kind: 'changed', text: `The agent changed this request while it waited. Before: ${changedFrom}` } as const]),
    ...subject.contradictions.map(({ about, earlier }) => ({ kind: 'contradiction', text: `${saidWords[about]}: ${earlier}` }) as const),
    ...(subject.doubt === undefined ? [] : [{ kind: 'contradiction', text: `Not fully understood: ${subject.doubt}` } as const]),
  ];
}

const saidWords: Readonly<Record<Contradiction['about'], string>> = {
  command: 'The tool call said',
  title: 'The tool call said',
  folder: 'The tool call named another folder',
  kind: 'The tool call was of another kind',
  address: 'The tool call named another address',
  changes: 'The tool call showed',
  files: 'The tool call named',
  input: 'The tool call had other input',
};
