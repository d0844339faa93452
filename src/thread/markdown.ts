import type { Elicitation, Entry, Part, Thread, ToolCall } from './thread';
import { shownEntries } from './rewind';
import { isOpen } from './thread';

/** A thread as readable Markdown: the golden text of tests. Ids and times are left out, so that it is stable. */
export function threadToMarkdown(thread: Thread): string {
  const entries = [...shownEntries(thread)];
  const blocks = entries.length > 0 ? [entriesToMarkdown(entries)] : [];
  if (thread.plan.length > 0)
    blocks.push(
      [
        '## Plan',
        ...thread.plan.map(
          (entry) =>
            `- [${{ pending: ' ', in_progress: '~', completed: 'x', cancelled: '-' }[entry.status]}] ${entry.content}`,
        ),
      ].join('\n'),
    );
  for (const { severity, title, description } of thread.notices)
    blocks.push(
      [`## Agent notice (${severity})`, title, ...(description === undefined ? [] : [description])].join('\n'),
    );
  if (thread.usage) blocks.push(usageToMarkdown(thread.usage));
  if (thread.turn) blocks.push(thread.turn.stopping ? '(stopping)' : '(running)');
  return blocks.join('\n\n');
}

/** Some of a thread's entries in the same form. */
export function entriesToMarkdown(entries: Iterable<Entry>): string {
  return [...entries].map(entryToMarkdown).join('\n\n');
}

function entryToMarkdown(entry: Entry): string {
  switch (entry.kind) {
    case 'userMessage':
      return `## User${entry.dropped ? ' (dropped)' : ''}\n${partsToText(entry.parts)}`;
    case 'agentMessage':
      return `## ${entry.asUser ? 'Added by the agent' : 'Agent'}${within(entry)}\n${partsToText(entry.parts)}`;
    case 'thought':
      return `## Thought${within(entry)}\n${partsToText(entry.parts)}`;
    case 'toolCall':
      return toolCallToMarkdown(entry);
    case 'compaction':
      return [
        `## Compaction (${entry.status})`,
        ...(entry.parts.length > 0 ? [partsToText(entry.parts)] : []),
        ...(entry.error === undefined ? [] : [`error: ${entry.error}`]),
      ].join('\n');
    case 'elicitation':
      return elicitationToMarkdown(entry);
    case 'notice':
      return [
        `## Notice (${entry.severity})`,
        entry.title,
        ...(entry.detail ? [entry.detail] : []),
        ...(entry.actions.length > 0 ? [`[${entry.actions.join('] [')}]`] : []),
      ].join('\n');
  }
}

function elicitationToMarkdown({ message, ask, state, errors, answers }: Elicitation): string {
  const lines = [`## Question (${state})`, message];
  if (ask.mode === 'url') lines.push(`<${ask.page.url}>`, ...ask.page.warnings.map((warning) => `! ${warning}`));
  else
    for (const { key, label, required, type } of ask.form.fields)
      lines.push(`- ${label}${required ? '*' : ''}: ${type}${errors.has(key) ? ` (${errors.get(key)})` : ''}`);
  for (const { label, text } of answers) lines.push(`${label} = ${text}`);
  return lines.join('\n');
}

function toolCallToMarkdown(call: ToolCall): string {
  const status = isOpen(call) ? call.status : (call.localEnd ?? call.status);
  const lines = [
    `## Tool: ${call.title}${within(call)}`,
    `${call.toolKind}, ${status}${call.decision ? `, decided: ${call.decision.name}` : ''}`,
  ];
  for (const { path, line } of call.locations) lines.push(`@ ${path}${line ? `:${line}` : ''}`);
  for (const item of call.content) {
    if (item.type === 'diff')
      lines.push(`diff ${item.path}: ${JSON.stringify(item.oldText)} → ${JSON.stringify(item.newText)}`);
    else if (item.type === 'fileChange')
      lines.push(
        `${item.operation} ${item.oldPath === undefined ? '' : `${item.oldPath} → `}${item.path}`,
        ...(item.patch === undefined ? [] : [item.patch.trimEnd()]),
      );
    else if (item.type === 'terminal') lines.push(`terminal ${item.terminalId}`);
    else lines.push(partsToText([item.content.type === 'text' ? { ...item.content, continues: false } : item.content]));
  }
  if (call.rawInput !== undefined) lines.push(`in ${JSON.stringify(call.rawInput)}`);
  if (call.rawOutput !== undefined) lines.push(`out ${JSON.stringify(call.rawOutput)}`);
  if (call.canCancel) lines.push('(can be cancelled)');
  for (const { subject, changedFrom } of call.permissions) {
    const { title, description, command, commandHint, cwd, options, contradictions } = subject;
    lines.push(`? ${title} [${options.map((option) => option.name).join('] [')}]`);
    if (description !== undefined) lines.push(`  ${description}`);
    if (command) lines.push(`  $ ${command.text}${cwd === undefined ? '' : ` (in ${cwd})`}`);
    if (commandHint !== undefined) lines.push(`  $? ${commandHint}`);
    for (const { about, earlier } of contradictions) lines.push(`  ! ${about} before: ${earlier}`);
    if (changedFrom !== undefined) lines.push(`  ! changed from: ${changedFrom}`);
  }
  return lines.join('\n');
}

function usageToMarkdown({ context, turn }: NonNullable<Thread['usage']>): string {
  const lines = ['## Usage'];
  if (context) {
    const { used, size, cost } = context;
    const paid = cost ? `, cost ${Number(cost.amount.toFixed(6))} ${cost.currency}` : '';
    lines.push(`context ${used} of ${size}${paid}`);
  }
  if (turn)
    lines.push(
      `turn ${Object.entries(turn)
        .map(([key, value]) => `${key} ${value}`)
        .join(', ')}`,
    );
  return lines.join('\n');
}

/** The subagent's call that an entry belongs to. */
function within({ parentId }: { readonly parentId?: string }): string {
  return parentId === undefined ? '' : ` (in ${parentId})`;
}

function partsToText(parts: Iterable<Part>): string {
  return [...parts]
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'resource_link':
          return `[${part.name}](${part.uri})`;
        case 'resource':
          return `[${part.resource.uri}]`;
        case 'unknown':
          return `[unknown block ${part.kind}]`;
        default:
          return `[${part.type} ${part.mimeType}]`;
      }
    })
    .join('');
}
