import { createHash } from 'node:crypto';
import type { ToolCallView, ToolContentView } from '../../../src/protocol/toolCallView';
import { threadToMarkdown } from '../../../src/thread/markdown';
import type { SessionOption } from '../../../src/thread/sessionOptions';
import { toolCallView } from '../../../src/view/projectToolCall';
import type { ShownSession } from '../../fakes/shownSession';
import { cwd, type TracePlayer } from './tracePlayer';

const longestLine = 300;
const mostLines = 24;

/**
 * What came of a trace, as text: the thread, its terminals, what stands around it, and what was done with each update.
 */
export function goldenText(name: string, player: TracePlayer): string {
  const sessions = player.played.flatMap((played) => [
    bounded(threadToMarkdown(played.session.thread)),
    ...terminalsOf(played),
    cardsOf(played),
    panelOf(played),
  ]);
  const facts = [
    `Updates: ${listed(player.tally)}`,
    ...(player.notDone.length > 0 ? [`Not done by Parley: ${listed(counted(player.notDone))}`] : []),
    ...(player.otherAnswers.length > 0 ? [`Answered otherwise: ${player.otherAnswers.join('; ')}`] : []),
    ...[...counted(player.logged.filter((line) => !line.startsWith('trace:')))].map(
      ([line, count]) => `Logged ${count} × ${line}`,
    ),
  ];
  return [`# ${name}`, ...sessions.filter(Boolean), bounded(facts.join('\n'))].join('\n\n');
}

/** What the panel shows of each tool call at last. */
function cardsOf({ session: { thread } }: ShownSession): string {
  const lines = [...thread.entries].flatMap((entry) =>
    entry.kind === 'toolCall' ? [cardText(toolCallView(entry, cwd))] : [],
  );
  return lines.length === 0 ? '' : bounded(['## Cards', ...lines].join('\n'), Infinity);
}

function cardText({ title, status, command, content, input, output }: ToolCallView): string {
  const folded = [...(input === undefined ? [] : ['input']), ...(output === undefined ? [] : ['output'])];
  return [
    `${status}: ${JSON.stringify(title)}`,
    ...(command === undefined ? [] : [`command ${JSON.stringify(command)}`]),
    ...content.map(contentText),
    ...(folded.length === 0 ? [] : [`folded: ${folded.join(', ')}`]),
  ].join(' | ');
}

function contentText(item: ToolContentView): string {
  switch (item.type) {
    case 'content':
      return item.content.type === 'text'
        ? `${item.content.isPlain ? 'plain' : 'markdown'} ${JSON.stringify(item.content.text)}`
        : item.content.type;
    case 'diff':
      return `diff ${item.label} +${item.added} -${item.removed}${item.isFromInput ? ' from input' : ''}`;
    case 'terminal':
      return item.output ? `terminal ${JSON.stringify(item.output.lines)}${endText(item.output)}` : 'terminal';
  }
}

function endText({
  exitCode,
  signal,
  failed,
}: {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly failed?: boolean;
}): string {
  return exitCode !== undefined ? ` exit ${exitCode}` : (signal ?? (failed ? ' failed' : ''));
}

function panelOf({ session: { thread } }: ShownSession): string {
  return [
    `Title: ${thread.title ?? '–'}`,
    ...thread.options.shown.map(optionText),
    ...(thread.options.problem ? [`Problem: ${thread.options.problem}`] : []),
    `Commands: ${thread.commands.length}`,
  ].join('\n');
}

function optionText(option: SessionOption): string {
  const { name, role, source } = option;
  const values =
    option.type === 'boolean'
      ? String(option.current)
      : option.choices.map(({ value }) => (value === option.current ? `[${value}]` : value)).join(' ');
  return `Option ${name} (${[role, source].filter(Boolean).join(', ')}): ${values}`;
}

function terminalsOf(played: ShownSession): string[] {
  return [...played.terminals.values()].map(({ output, exit }) =>
    bounded(`## Terminal (exit ${exit ?? 'unknown'})\n${output.read().output}`),
  );
}

/** Long lines and long passages by their beginning, their end, and a fingerprint of all of it. */
function bounded(text: string, most = mostLines): string {
  return text
    .split('\n\n')
    .map((passage) => {
      const lines = passage.split('\n');
      if (lines.length <= most) return lines.map(boundedLine).join('\n');
      const half = mostLines / 2;
      return [...lines.slice(0, half), `… ${lines.length} lines, ${fingerprint(passage)} …`, ...lines.slice(-half)]
        .map(boundedLine)
        .join('\n');
    })
    .join('\n\n');
}

function boundedLine(line: string): string {
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine / 2)} … ${line.length} characters, ${fingerprint(line)} … ${line.slice(-40)}`;
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function counted(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
}
