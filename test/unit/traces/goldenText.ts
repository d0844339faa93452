import { createHash } from 'node:crypto';
import { threadToMarkdown } from '../../../src/thread/markdown';
import type { SessionOption } from '../../../src/thread/sessionOptions';
import type { ShownSession } from '../../fakes/shownSession';
import type { TracePlayer } from './tracePlayer';

const longestLine = 300;
const mostLines = 24;

/** What came of a trace, as text: the thread, its terminals, what stands around it, and what was done with each update. */
export function goldenText(name: string, player: TracePlayer): string {
  const sessions = player.played.flatMap((played) => [bounded(threadToMarkdown(played.session.thread)), ...terminalsOf(played), panelOf(played)]);
  const facts = [
    `Updates: ${listed(player.tally)}`,
    ...(player.notDone.length > 0 ? [`Not done by Parley: ${listed(counted(player.notDone))}`] : []),
    ...(player.otherAnswers.length > 0 ? [`Answered otherwise: ${player.otherAnswers.join('; ')}`] : []),
    ...[...counted(player.link.logged.filter((line) => !line.startsWith('trace:')))].map(([line, count]) => `Logged ${count} × ${line}`),
  ];
  return [`# ${name}`, ...sessions.filter(Boolean), bounded(facts.join('\n'))].join('\n\n');
}

function panelOf({ session: { thread } }: ShownSession): string {
  return [`Title: ${thread.title ?? '–'}`, ...thread.options.shown.map(optionText), ...(thread.options.problem ? [`Problem: ${thread.options.problem}`] : []), `Commands: ${thread.commands.length}`].join('\n');
}

function optionText(option: SessionOption): string {
  const { name, role, source } = option;
  const values = option.type === 'boolean' ? String(option.current) : option.choices.map(({ value }) => (value === option.current ? `[${value}]` : value)).join(' ');
  return `Option ${name} (${[role, source].filter(Boolean).join(', ')}): ${values}`;
}

function terminalsOf(played: ShownSession): string[] {
  return [...played.terminals.values()].map(({ output, exit }) => bounded(`## Terminal (exit ${exit ?? 'unknown'})\n${output.read().output}`));
}

/** Long lines and long passages by their beginning, their end, and a fingerprint of all of it. */
function bounded(text: string): string {
  return text
    .split('\n\n')
    .map((passage) => {
      const lines = passage.split('\n');
      if (lines.length <= mostLines) return lines.map(boundedLine).join('\n');
      const half = mostLines / 2;
      return [...lines.slice(0, half), `… ${lines.length} lines, ${fingerprint(passage)} …`, ...lines.slice(-half)].map(boundedLine).join('\n');
    })
    .join('\n\n');
}

function boundedLine(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine / 2)} … ${line.length} characters, ${fingerprint(line)} … ${line.slice(-40)}`;
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
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, count]) => `${what} ${count}`).join(', ');
}
