import { asObject, stringOf } from '../acp/json';
import type { ContentView, ToolCallView, ToolContentView, ToolStatusView } from '../protocol/viewModel';
import { isOpen, type ToolCall } from '../thread/thread';
import { contentView } from './contentView';
import { cachedDiffView } from './diffView';
import { cachedFileChangeView } from './fileChangeView';
import { labelOfPath, labelOfTitle, resolvePath } from './labels';

/** Characters of raw input or output that a card carries. */
const maxRaw = 16_000;

/** A tool call as the panel shows it. `cwd` is the session's folder, "" when there is none. */
export function toolCallView(call: ToolCall, cwd: string): ToolCallView {
  const command = commandOf(call);
  const input = pretty(call.rawInput);
  const output = pretty(call.rawOutput);
  const content = call.content.flatMap((item) => toolContentView(item, cwd));
  const commandCwd = command === undefined ? undefined : stringOf(asObject(call.rawInput)['cwd']);
  return {
    kind: 'toolCall',
    id: call.id,
    title: labelOfTitle(call.title, cwd),
    ...(call.name === undefined ? {} : { name: call.name }),
    toolKind: call.toolKind,
    status: statusOf(call),
    locations: call.locations.map((location) => {
      const path = resolvePath(location.path, cwd);
      return { path, label: labelOfPath(path, cwd), ...(location.line ? { line: location.line } : {}) };
    }),
    content,
    ...(command === undefined ? {} : { command }),
    ...(commandCwd === undefined ? {} : { cwd: commandCwd }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined || repeats(output, call.rawOutput, content) ? {} : { output }),
    ...(call.canCancel && isOpen(call) ? { canCancel: true } : {}),
    permissions: call.permissions.map((permission) => ({ ...permission, title: labelOfTitle(permission.title, cwd) })),
    ...(call.decision === undefined ? {} : { decision: call.decision.name }),
    startedAt: call.at,
    ...(call.endedAt === undefined ? {} : { durationMs: Math.max(0, call.endedAt - call.at) }),
  };
}

function toolContentView(item: ToolCall['content'][number], cwd: string): ToolContentView[] {
  switch (item.type) {
    case 'content':
      return item.content.type === 'text' && item.content.text === '' ? [] : [{ type: 'content', content: contentView(item.content) }];
    case 'diff':
      return [cachedDiffView(item, cwd)];
    case 'fileChange':
      return [cachedFileChangeView(item, cwd)];
    case 'terminal':
      return [{ type: 'terminal', terminalId: item.terminalId }];
  }
}

function statusOf(call: ToolCall): ToolStatusView {
  if (call.permissions.length > 0) return 'waiting';
  const rejected = call.decision?.kind === 'reject_once' || call.decision?.kind === 'reject_always';
  if (rejected && (call.status === 'failed' || call.localEnd !== undefined)) return 'rejected';
  if (call.localEnd !== undefined) return 'cancelled';
  if (isOpen(call)) return call.status === 'in_progress' ? 'running' : call.status === 'paused' ? 'paused' : 'pending';
  return call.status === 'failed' || call.status === 'cancelled' ? call.status : 'completed';
}

/** The shell command, where the raw input says one; the field's name differs from agent to agent. */
function commandOf(call: ToolCall): string | undefined {
  const input = asObject(call.rawInput);
  const command = input['command'] ?? input['cmd'];
  if (typeof command === 'string' && command.trim() !== '') return command;
  if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string')) return joinWords(command as string[]);
  return undefined;
}

/** `["bash", "-lc", script]` is how agents wrap a line for the shell; a person wants to read the line. */
function joinWords(words: readonly string[]): string {
  if (words.length === 3 && /(^|[\\/])(ba|z|da)?sh$/.test(words[0]!) && /^-l?c$/.test(words[1]!)) return words[2]!;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** Any JSON value as readable, bounded text (item 118). `undefined` for nothing worth a line. */
function pretty(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return text.length > maxRaw ? `${text.slice(0, maxRaw)}\n… ${text.length - maxRaw} more characters` : text;
}

/** Many agents send the same text as content and as raw output; once is enough. */
function repeats(output: string, raw: unknown, content: readonly ToolContentView[]): boolean {
  if (content.length === 0) return false;
  if (content.some((item) => item.type === 'terminal')) return true;
  const texts = content.flatMap((item): ContentView[] => (item.type === 'content' ? [item.content] : [])).flatMap((item) => (item.type === 'text' ? [item.text.trim()] : []));
  const own = stringOf(raw) ?? stringOf(asObject(raw)['output']) ?? output;
  return texts.some((text) => text.includes(own.trim()));
}
