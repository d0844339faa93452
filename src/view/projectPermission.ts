import * as l10n from '@vscode/l10n';
import { asObject } from '../base/decode';
import { editorCallOf, editorCallWords } from '../editor/editorCall';
import { isObject } from '../base/json';
import type { InputFieldView, PermissionView, RiskView } from '../protocol/permissionView';
import { fieldText, type InputField } from '../permission/commandLine';
import type { Contradiction } from '../permission/contradictions';
import { nameOf } from '../thread/permissionRequests';
import type { PendingPermission } from '../thread/thread';
import { toolBefore } from './callTitle';
import { labelOfPath, labelOfTitle } from './labels';
import { drawnPatch, patchDiffs } from './patchText';
import { cardWork } from './projectDiff';
import { inputBesidePlan, planText } from './planText';
import { locationViews, toolContentView, wholeJson } from './toolCallParts';

/**
 * A permission request as its card shows it: all of its subject, without later updates of its call. `cwd` is the
 * session's folder.
 */
export function permissionView(permission: PendingPermission, cwd: string): PermissionView {
  const { subject, assessment, isChecking } = permission;
  const { description, command, commandHint } = subject;
  const folder = assessment?.cwd ?? subject.cwd;
  const plan = planText(subject);
  const rawInput = plan === undefined ? subject.rawInput : inputBesidePlan(subject.rawInput, plan);
  const input = wholeJson(rawInput);
  const work = cardWork();
  const all = withPatch(
    subject.content.flatMap((item) => toolContentView(item, 'other', cwd, work)),
    subject.rawInput,
    cwd,
  );
  const content = command ? all.filter((item) => !says(item, command.text)) : all;
  const url = assessment?.url ?? subject.url;
  const warnings = risksOf(permission);
  const editorCall = command ? undefined : editorCallOf(subject.title, subject.rawInput, subject.kind);
  const title = editorCall ? editorCallWords(editorCall) : labelOfTitle(subject.title, cwd);
  const isKnown =
    command !== undefined || url !== undefined || content.some((item) => item.type === 'diff' && !item.isFromInput);
  const texts = content.flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [],
  );
  const said = [
    title,
    description ?? '',
    ...texts,
    ...subject.options.map(({ name }) => name),
    drawnPatch(subject.rawInput) ?? '',
  ];
  const fields = isKnown || input === undefined ? undefined : inputFields(rawInput, said);
  return {
    requestId: nameOf(permission),
    ...(permission.revision === 0 ? {} : { origin: permission.requestId }),
    title: (editorCall ? undefined : toolBefore(subject.title, subject.rawInput)) ?? title,
    ...(description === undefined || description.trim() === command?.text.trim() ? {} : { description }),
    ...(command
      ? { command: command.text }
      : commandHint === undefined
        ? {}
        : { command: commandHint, isFromTitle: true }),
    ...(assessment?.steps ? { steps: assessment.steps } : {}),
    ...(folder === undefined ? {} : { cwd: labelOfPath(folder, cwd) }),
    ...(warnings.length > 0 ? { risks: warnings } : {}),
    ...(url === undefined ? {} : { url }),
    ...(plan === undefined ? {} : { plan }),
    content:
      plan === undefined ? content : content.filter((item) => item.type !== 'content' || item.content.type !== 'text'),
    locations: locationViews(subject.locations, cwd),
    ...(input === undefined ? {} : { input }),
    ...(fields === undefined ? {} : { fields }),
    ...(!isKnown && isQuestion(subject) ? { isQuestion: true as const } : {}),
    ...(permission.isOwn ? { isOwn: true as const } : {}),
    ...drawnOptions(subject.options),
    ...(isChecking ? { isChecking } : {}),
  };
}

/** True if an item has only the command, as a line after a prompt or in a block of code. */
function says(item: PermissionView['content'][number], command: string): boolean {
  if (item.type !== 'content' || item.content.type !== 'text') return false;
  const text = item.content.text
    .trim()
    .replace(/^(`{3,20})[^\n`]*\n([^]*?)\n?\1$/, '$2')
    .trim();
  return [text, text.replace(/^[$>%] /, ''), text.replace(/^`([^`]+)`$/, '$1')].includes(command.trim());
}

/** Several answers that each let the agent go on once, or an input that has questions. */
function isQuestion({ options, rawInput }: PendingPermission['subject']): boolean {
  const input = asObject(rawInput);
  const asks =
    Array.isArray(input['questions']) || (typeof input['question'] === 'string' && Array.isArray(input['options']));
  return asks || options.filter(({ kind }) => kind === 'allow_once').length > 1;
}

/** Without a diff of the agent, the patch in its raw input is easier to read than the raw input. */
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

/** The warnings of a request. */
export function risksOf(permission: PendingPermission): readonly RiskView[] {
  return [...warningsOf(permission), ...(permission.assessment?.risks ?? [])];
}

/** Warnings about the request itself, before its risks. */
function warningsOf({ subject, changedFrom, isUnassessed }: PendingPermission): RiskView[] {
  return [
    ...(isUnassessed
      ? [{ kind: 'contradiction', text: l10n.t('Parley could not check this request for risks.') } as const]
      : []),
    ...(changedFrom === undefined
      ? []
      : [
          {
            kind: 'changed',
            text: l10n.t('The agent changed this pending request. Before: {0}', changedFrom),
          } as const,
        ]),
    ...subject.contradictions.map(
      (contradiction) => ({ kind: 'contradiction', text: contradictionWords(contradiction) }) as const,
    ),
    ...(subject.command ? furtherWords(subject.further) : []),
    ...(subject.doubt === undefined
      ? []
      : [{ kind: 'contradiction', text: l10n.t('Not fully understood: {0}', subject.doubt) } as const]),
  ];
}

/** Fields of the input that are shown beside a command, and characters of each. */
const maxFields = 20;
const maxField = 500;

/** The fields of the input besides the command. The raw input below has all of them. */
function furtherWords(fields: readonly InputField[]): RiskView[] {
  const words = fields.slice(0, maxFields).map((field) => {
    const text = fieldText(field);
    return l10n.t(
      'Also in the input: {0}',
      text.length > maxField
        ? l10n.t('{0}… ({1} more characters)', text.slice(0, maxField), text.length - maxField)
        : text,
    );
  });
  if (fields.length > maxFields) words.push(l10n.t('{0} more fields are in the raw input', fields.length - maxFields));
  return words.map((text) => ({ kind: 'contradiction', text }));
}

function contradictionWords({ about, earlier }: Contradiction): string {
  switch (about) {
    case 'command':
    case 'title':
      return l10n.t('The tool call said: {0}', earlier);
    case 'folder':
      return l10n.t('The tool call named a different folder: {0}', earlier);
    case 'kind':
      return l10n.t('The tool call had a different kind: {0}', earlier);
    case 'address':
      return l10n.t('The tool call named a different address: {0}', earlier);
    case 'changes':
      return l10n.t('The tool call showed a different change to {0}', earlier);
    case 'files':
      return l10n.t('The tool call named: {0}', earlier);
    case 'input':
      return l10n.t('The tool call had different input: {0}', earlier);
  }
}

/** An input with more values, or a deeper one, is shown only as JSON. */
const maxInputFields = 60;
const maxInputDepth = 6;

/**
 * The values of an input one by one, because they are easier to read than JSON. Only words that the card already shows
 * are left out. `undefined` for an input that is no object or too large.
 * @param said the card's other texts: title, words, answers, the drawn patch
 */
function inputFields(rawInput: unknown, said: readonly string[]): InputFieldView[] | undefined {
  if (!isObject(rawInput)) return undefined;
  const known = new Set(said.flatMap((text) => [text.trim(), ...text.split('\n').map((line) => line.trim())]));
  const fields: InputFieldView[] = [];
  let isTooMuch = false;
  const visit = (value: unknown, name: string, depth: number) => {
    if (fields.length > maxInputFields || depth > maxInputDepth) isTooMuch = true;
    if (isTooMuch) return;
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (inner.length > 0) for (const [key, item] of inner) visit(item, name === '' ? key : `${name}.${key}`, depth + 1);
    else if (typeof value !== 'string') fields.push({ name, text: JSON.stringify(value) ?? 'null' });
    else if (!known.has(value.trim())) fields.push({ name, text: value });
  };
  visit(rawInput, '', 0);
  return isTooMuch || fields.length > maxInputFields ? undefined : fields;
}
