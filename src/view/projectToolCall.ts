import * as l10n from '@vscode/l10n';
import { asObject, stringOf } from '../base/decode';
import { withoutControls, withoutControlsIn } from '../base/controlSequences';
import { findText } from '../base/findText';
import { editorCallOf, editorCallWords } from '../editor/editorCall';
import { commandLineOf } from '../permission/commandLine';
import type { ContentView } from '../protocol/contentView';
import { optionLabel } from '../protocol/permissionOptions';
import type { ToolCallView, ToolContentView, ToolStatusView } from '../protocol/toolCallView';
import { isOpen, type ToolCall } from '../thread/thread';
import { callTitle } from './callTitle';
import { commandOutput } from './commandOutput';
import { beginningOf } from './longLists';
import { patchDiffs } from './patchText';
import { planText } from './planText';
import { addedText, isPrompt, outputImages } from './outputText';
import { contentView } from './projectContent';
import { cardWork } from './projectDiff';
import { permissionView } from './projectPermission';
import { locationViews, prettyJson, readable, toolContentView, wholeJson } from './toolCallParts';

/** Characters of raw input or output that a card carries. */
const maxRaw = 16_000;

/** A tool call as the panel shows it. `cwd` is the session's folder, "" when there is none. */
export function toolCallView(told: ToolCall, cwd: string): ToolCallView {
  const call = inEditorWords(told);
  const command = commandLineOf(call.rawInput, call.toolKind)?.text;
  const input = pretty(withoutControlsIn(call.rawInput));
  const hasImage = call.content.some((item) => item.type === 'content' && item.content.type === 'image');
  const { images, rest } = outputImages(call.rawOutput);
  const output = pretty(withoutControlsIn(rest));
  const worded = images.length === 0 ? call : { ...call, rawOutput: rest };
  const items = beginningOf('content', call.content);
  const locations = beginningOf('locations', call.locations);
  const more = { ...items.more, ...locations.more };
  const work = cardWork();
  const waited = call.waited?.ms ?? 0;
  const shown = items.shown
    .flatMap((item) => toolContentView(item, call.toolKind, cwd, work))
    .map((item) => (item.type === 'content' ? withoutControlsIn(item) : item))
    .filter((item) => !isPrompt(item, call));
  const added = call.toolKind === 'execute' ? undefined : addedText(worded, shown);
  const said: ToolContentView[] =
    added === undefined ? [] : [{ type: 'content', content: readable({ type: 'text', text: added }, call.toolKind) }];
  const content = [
    ...planContent(call),
    ...shown,
    ...said,
    ...(hasImage ? [] : images.map((image): ToolContentView => ({ type: 'content', content: contentView(image) }))),
  ];
  const asTerminal = commandOutput(worded, content);
  const commandCwd = command === undefined ? undefined : stringOf(asObject(call.rawInput)['cwd']);
  return {
    kind: 'toolCall',
    id: call.id,
    title: callTitle(call, cwd),
    ...(call.name === undefined ? {} : { name: withoutControls(call.name) }),
    toolKind: call.toolKind,
    status: statusOf(call),
    ...(call.wasStopped ? { wasStopped: true as const } : {}),
    locations: locationViews(locations.shown, cwd),
    content:
      asTerminal ??
      (content.some(({ type }) => type !== 'content')
        ? content
        : [...content, ...patchDiffs(call.rawInput, cwd, call.patchLines)]),
    ...(Object.keys(more).length === 0 ? {} : { more }),
    ...(command === undefined ? {} : { command }),
    ...(commandCwd === undefined ? {} : { cwd: commandCwd }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ||
    repeats(
      output,
      call.rawOutput,
      content.length === 0 && typeof call.rawOutput === 'string' && prettyJson(call.rawOutput) === undefined
        ? (asTerminal ?? content)
        : content,
    )
      ? {}
      : { output }),
    ...(call.canCancel && isOpen(call) ? { canCancel: true } : {}),
    ...(call.wasUnasked ? { wasUnasked: true as const } : {}),
    ...(call.isBackground ? { isBackground: true as const } : {}),
    ...(call.childSession === undefined ? {} : { isSubagent: true as const }),
    ...(call.tokens === undefined ? {} : { tokens: call.tokens }),
    permissions: call.permissions.map((permission) => permissionView(permission, cwd)),
    ...(call.decision === undefined
      ? {}
      : {
          decision: optionLabel(call.decision).text,
          ...(call.decidedOn === undefined ? {} : { decidedOn: call.decidedOn }),
        }),
    ...(call.decidedOn === undefined || saysSame(call, command) ? {} : { decidedOnOther: true }),
    ...(call.decidedBy === undefined ? {} : { decidedBy: call.isQuoted ? quotedRuleWords(call) : ruleWords(call) }),
    ...(call.isQuoted ? { isQuoted: true as const } : {}),
    startedAt: call.at,
    ...(waited > 0 ? { runsSince: call.at + waited } : {}),
    ...(call.endedAt === undefined ? {} : { durationMs: Math.max(0, call.endedAt - call.at - waited) }),
  };
}

/** A call of the editor's own tool has a title in words, and is no command, as one agent has it. */
function inEditorWords(call: ToolCall): ToolCall {
  const isCommand = commandLineOf(call.rawInput, call.toolKind) !== undefined;
  const editorCall = isCommand ? undefined : editorCallOf(call.title, call.rawInput, call.toolKind);
  if (!editorCall) return call;
  const toolKind = call.toolKind === 'execute' ? 'other' : call.toolKind;
  return { ...call, title: withoutControls(editorCallWords(editorCall)), toolKind };
}

/** A plan that only the input has is easier to read as text. */
function planContent(call: ToolCall): ToolContentView[] {
  const plan =
    call.content.length > 0 ? undefined : planText({ kind: call.toolKind, content: [], rawInput: call.rawInput });
  return plan === undefined ? [] : [{ type: 'content', content: { type: 'text', text: plan } }];
}

/** True if the call is still the one that was answered. */
function saysSame({ decidedOn, title }: ToolCall, command: string | undefined): boolean {
  return (
    decidedOn === command ||
    decidedOn === title ||
    (command === undefined && decidedOn?.startsWith(`${title}: `) === true)
  );
}

function ruleWords({ decision, decidedBy = [] }: ToolCall): string {
  const names = decidedBy.map((name) => `“${name}”`).join(', ');
  if (decision?.kind === 'allow_once')
    return decidedBy.length === 1
      ? l10n.t('Allowed by your rule {0}', names)
      : l10n.t('Allowed by your rules {0}', names);
  return decidedBy.length === 1
    ? l10n.t('Rejected by your rule {0}', names)
    : l10n.t('Rejected by your rules {0}', names);
}

/** For rules of an imported session, which may not be the user's. */
function quotedRuleWords({ decision, decidedBy = [] }: ToolCall): string {
  const names = decidedBy.map((name) => `“${name}”`).join(', ');
  return decision?.kind === 'allow_once'
    ? l10n.t('The file says: allowed by a rule {0}', names)
    : l10n.t('The file says: rejected by a rule {0}', names);
}

function statusOf(call: ToolCall): ToolStatusView {
  if (call.permissions.length > 0) return 'waiting';
  const rejected =
    call.notRun === 'rejected' || call.decision?.kind === 'reject_once' || call.decision?.kind === 'reject_always';
  if (rejected && (call.status === 'failed' || call.localEnd !== undefined)) return 'rejected';
  if (call.notRun === 'blocked' && call.status === 'failed') return 'blocked';
  if (call.localEnd === 'cancelled' || (call.wasStopped && call.status !== 'completed' && !isOpen(call)))
    return 'stopped';
  if (call.localEnd !== undefined) return 'unfinished';
  if (isOpen(call)) return call.status === 'in_progress' ? 'running' : call.status === 'paused' ? 'paused' : 'pending';
  return call.status === 'failed' || call.status === 'cancelled' ? call.status : 'completed';
}

/** Any JSON value as readable, bounded text (item 118). `undefined` for nothing worth a line. */
function pretty(value: unknown): string | undefined {
  const text = typeof value === 'string' ? (prettyJson(value) ?? value) : wholeJson(value);
  return text !== undefined && text.length > maxRaw
    ? `${text.slice(0, maxRaw)}\n${l10n.t('… {0} more characters', text.length - maxRaw)}`
    : text;
}

/** Many agents send the same text as content and as raw output; once is enough. */
function repeats(output: string, raw: unknown, content: readonly ToolContentView[]): boolean {
  if (content.length === 0) return false;
  if (content.some((item) => item.type === 'terminal')) return true;
  const texts = content
    .flatMap((item): ContentView[] => (item.type === 'content' ? [item.content] : []))
    .flatMap((item) => (item.type === 'text' ? [item.text.trim()] : []));
  const own = stringOf(raw) ?? stringOf(asObject(raw)['output']) ?? output;
  const said = own.trim();
  return texts.some((text) => (findText(text, said) ?? -1) >= 0);
}
