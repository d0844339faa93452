import * as l10n from '@vscode/l10n';
import { withoutControlsIn } from '../base/controlSequences';
import { toLocal } from '../base/localTime';
import { reasoningMark, withReasoningMark } from '../base/reasoningTags';
import { visibleLine } from '../base/visibleText';
import { commandLineOf } from '../permission/commandLine';
import type {
  ExportedBlock,
  ExportedCall,
  ExportedContent,
  ExportedEntry,
  ExportedRequest,
  ExportedSession,
} from '../thread/exportedSession';
import { answerMarkdown } from './answerMarkdown';
import { isMarkdownResult, wholeJson } from './toolCallParts';
import { unifiedDiff } from './unifiedDiff';

/** Longer texts are not compared. Characters. */
const maxCompared = 2_000_000;
const noEnd = '\\ No newline at end of file';
/** The most comparisons of lines for one diff. */
const maxWork = 5_000_000;

/** An exported session as Markdown to read: prompts, answers, calls with their diffs, commands and outputs. */
export function sessionMarkdown(session: ExportedSession): string {
  const { title, agent, folder, exportedAt, entries, plan } = session;
  const about = [
    plain(agent),
    folder && code(folder),
    l10n.t('exported {0}', toLocal(exportedAt).slice(0, 16).replace('T', ' ')),
  ]
    .filter(Boolean)
    .join(' · ');
  const blocks = [`# ${plain(title ?? l10n.t('Untitled'))}`, about, entriesMarkdown(entries, agent)];
  if (plan)
    blocks.push(
      [
        `## ${l10n.t('Plan')}`,
        '',
        ...plan.map(({ content, status }) => {
          const words = plain(content);
          return `- [${status === 'completed' ? 'x' : ' '}] ${status === 'cancelled' ? `~~${words}~~` : words}`;
        }),
      ].join('\n'),
    );
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

/** Some entries in the same form. All between two prompts is one section. */
export function entriesMarkdown(entries: readonly ExportedEntry[], agent: string): string {
  const blocks: string[] = [];
  let speaker: string | undefined;
  for (const entry of entries) {
    const next = entry.type === 'prompt' ? 'user' : 'agent';
    const body = entryMarkdown(withoutControlsIn(entry));
    if (body === '') continue;
    if (next === 'user') blocks.push(`## ${l10n.t('You')}`);
    else if (speaker !== 'agent') blocks.push(`## ${plain(agent || l10n.t('Agent'))}`);
    speaker = next;
    blocks.push(body);
  }
  return blocks.join('\n\n');
}

function entryMarkdown(entry: ExportedEntry): string {
  switch (entry.type) {
    case 'prompt':
      return (
        blocksMarkdown(entry.content) +
        (entry.dropped ? `\n\n*${l10n.t('No longer part of the agent’s context')}*` : '')
      );
    case 'answer':
      return (entry.asUser ? `*${l10n.t('Added by the agent')}*\n\n` : '') + withThought(entry.content);
    case 'thought':
      return folded(l10n.t('Thought'), blocksMarkdown(entry.content));
    case 'summary':
      return [
        `*${l10n.t('The agent summarized the conversation above.')}*`,
        folded(l10n.t('Summary'), blocksMarkdown(entry.content)),
        entry.error && plain(entry.error),
      ]
        .filter(Boolean)
        .join('\n\n');
    case 'notice':
      return [
        `> *${plain(entry.title)}*`,
        ...(entry.detail ? ['>', ...entry.detail.split('\n').map((line) => `> ${plain(line)}`)] : []),
      ].join('\n');
    case 'request':
      return requestMarkdown(entry);
    case 'tool':
      return callMarkdown(entry);
  }
}

function requestMarkdown({ message, title, url, state, answers }: ExportedRequest): string {
  const lines = [`**${plain(title ?? message)}** (${stateWord(state)})`];
  if (title !== undefined && message.trim() !== '' && message !== title) lines.push(message.trim());
  if (url !== undefined) lines.push(code(url));
  if (answers) lines.push(answers.map(({ label, text }) => `- ${plain(label)}: ${plain(text)}`).join('\n'));
  return lines.join('\n\n');
}

function callMarkdown(call: ExportedCall): string {
  const command = commandLineOf(call.input, call.kind)?.text;
  const content = call.content ?? [];
  const blocks = [`**${plain(call.title)}** (${stateWord(call.status)})`];
  if (call.decision) blocks.push(decisionWords(call.decision));
  if (command !== undefined && !content.some((item) => item.type === 'terminal' && item.command !== undefined))
    blocks.push(fenced(`$ ${command}`, 'console'));
  const shown = content.map((item) => contentMarkdown(item, call.kind)).filter(Boolean);
  const hasDiff = content.some(({ type }) => type === 'diff' || type === 'fileChange');
  const input = command === undefined && !hasDiff ? wholeJson(call.input) : undefined;
  if (input !== undefined)
    blocks.push(folded(l10n.t('Input'), fenced(input, typeof call.input === 'string' ? '' : 'json')));
  blocks.push(...shown);
  // Most agents send the same text twice.
  const output = shown.length === 0 ? wholeJson(call.output) : undefined;
  if (output !== undefined) blocks.push(fenced(output, typeof call.output === 'string' ? '' : 'json'));
  return blocks.join('\n\n');
}

function decisionWords({ choice, rules }: NonNullable<ExportedCall['decision']>): string {
  return rules?.length
    ? l10n.t('Permission: {0}, by a rule: {1}', plain(choice), rules.map((rule) => plain(rule)).join(', '))
    : l10n.t('Permission: {0}', plain(choice));
}

function contentMarkdown(item: ExportedContent, kind: ExportedCall['kind']): string {
  switch (item.type) {
    case 'content':
      return isKnown(item.content) &&
        item.content.type === 'text' &&
        item.content.text.trim() !== '' &&
        !isMarkdownResult(item.content.text, kind)
        ? fenced(item.content.text, '')
        : blockMarkdown(item.content);
    case 'diff':
      return `${code(item.path)}\n\n${fenced(diffText(item.oldText ?? '', item.newText), 'diff')}`;
    case 'fileChange':
      return [
        code(item.oldPath === undefined ? item.path : `${item.oldPath} → ${item.path}`),
        item.patch === undefined ? '' : fenced(item.patch, 'diff'),
      ]
        .filter(Boolean)
        .join('\n\n');
    case 'terminal': {
      const ended = item.signal ?? (item.exitCode === undefined ? undefined : l10n.t('exit {0}', item.exitCode));
      const lines = [
        item.command === undefined ? undefined : `$ ${item.command}`,
        item.omittedLines ? '…' : undefined,
        item.output.trimEnd(),
      ]
        .filter(Boolean)
        .join('\n');
      return [lines && fenced(lines, 'console'), ended].filter(Boolean).join('\n\n');
    }
  }
}

function diffText(before: string, after: string): string {
  if (before.length + after.length > maxCompared) return l10n.t('The change is too large to show here.');
  const { hunks } = unifiedDiff(before, after, Infinity, { left: maxWork });
  return hunks
    .map(
      ({ oldStart, newStart, lines }) =>
        `@@ -${range(oldStart, lines, '+')} +${range(newStart, lines, '-')} @@\n${lines.map(withMark).join('')}`,
    )
    .join('')
    .replace(/\n$/, '');
}

/** Marks a last line without a line end, as git does. */
function withMark(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n${noEnd}\n`;
}

/** A side without lines is named by the line before it. @param other the sign of the other side */
function range(start: number, lines: readonly string[], other: string): string {
  const count = lines.filter((line) => !line.startsWith(other)).length;
  return `${count === 0 ? start - 1 : start},${count}`;
}

/** Reasoning in tags at the beginning of an answer is folded, as in the panel. */
function withThought(content: readonly ExportedBlock[]): string {
  const [first, ...others] = content;
  const text = withReasoningMark(first && isKnown(first) && first.type === 'text' ? first.text : '');
  const mark = reasoningMark(text);
  const end = mark ? text.toLowerCase().indexOf(mark.closing.toLowerCase(), mark.length) : -1;
  if (!mark || end < 0) return blocksMarkdown(content);
  const thought = answerMarkdown(text.slice(mark.length, end).trim());
  const answer = blocksMarkdown([{ type: 'text', text: text.slice(end + mark.closing.length) }, ...others]);
  return [thought === '' ? '' : folded(l10n.t('Thought'), thought), answer].filter(Boolean).join('\n\n');
}

function blocksMarkdown(blocks: readonly ExportedBlock[]): string {
  return blocks
    .map((block) => blockMarkdown(block))
    .filter(Boolean)
    .join('\n\n');
}

function blockMarkdown(block: ExportedBlock): string {
  if (!isKnown(block)) return code(`[${block.type}]`);
  switch (block.type) {
    case 'text':
      return answerMarkdown(block.text.trim());
    case 'resource_link':
      return code(block.title ?? block.name);
    case 'resource':
      return 'text' in block.resource
        ? `${code(block.resource.uri)}\n\n${fenced(block.resource.text, '')}`
        : code(block.resource.uri);
    case 'image':
    case 'audio':
      return code(`[${block.mimeType}]`);
  }
}

function isKnown(
  block: ExportedBlock,
): block is Extract<ExportedBlock, { text: string } | { resource: object } | { uri: string } | { data: string }> {
  return ['text', 'image', 'audio', 'resource', 'resource_link'].includes(block.type);
}

function folded(summary: string, body: string): string {
  return body === '' ? '' : `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A block that its text cannot leave. */
function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

function code(text: string): string {
  const line = visibleLine(text);
  const fence = '`'.repeat(longestRun(line) + 1);
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${room}${line}${room}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** One line of text, escaped for Markdown. */
function plain(text: string): string {
  return visibleLine(text).replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
}

function stateWord(state: ExportedCall['status'] | ExportedRequest['state']): string {
  switch (state) {
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'unfinished':
      return l10n.t('not finished');
    case 'accepted':
      return l10n.t('answered');
    case 'declined':
      return l10n.t('declined');
    case 'withdrawn':
      return l10n.t('not answered');
  }
}
