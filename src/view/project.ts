import { withoutControls } from '../base/controlSequences';
import type { EntryView } from '../protocol/entryView';
import type { Entry } from '../thread/thread';
import { contentViews } from './projectContent';
import { elicitationView } from './elicitationView';
import { toolCallView } from './projectToolCall';

/** A thread's entry as the panel shows it. `cwd` belongs to the session and does not change during its life. */
export function entryView(entry: Entry, cwd: string): EntryView {
  switch (entry.kind) {
    case 'userMessage':
      return {
        kind: 'userMessage',
        id: entry.id,
        content: contentViews(entry.parts),
        dropped: entry.dropped,
        sentAt: entry.at,
      };
    case 'agentMessage':
      return {
        kind: 'agentMessage',
        id: entry.id,
        content: contentViews(entry.parts),
        streaming: !entry.closed,
        ...(entry.endsTurn ? { endsTurn: true as const } : {}),
        ...(entry.asUser ? { asUser: true as const } : {}),
        ...within(entry),
      };
    case 'thought':
      return {
        kind: 'thought',
        id: entry.id,
        content: contentViews(entry.parts),
        streaming: !entry.closed,
        ...(entry.closed ? { durationMs: Math.max(0, entry.lastAt - entry.at) } : {}),
        ...within(entry),
      };
    case 'toolCall':
      return { ...toolCallView(entry, cwd), ...within(entry) };
    case 'compaction': {
      const { id, status, parts, error, at } = entry;
      const isOpen = status === 'in_progress' || status === 'other';
      return {
        kind: 'compaction',
        id,
        status: isOpen ? 'running' : status,
        content: contentViews(parts),
        ...(error ? { error: withoutControls(error) } : {}),
        startedAt: at,
      };
    }
    case 'elicitation':
      return elicitationView(entry);
    case 'notice': {
      const { id, severity, title, detail, actions, retryAt, passed, beginsTurn, isQuoted } = entry;
      return {
        kind: 'notice',
        id,
        severity,
        title: withoutControls(title),
        ...(detail === undefined ? {} : { detail: withoutControls(detail) }),
        actions,
        ...(retryAt === undefined ? {} : { retryAt }),
        ...(passed ? { passed } : {}),
        ...(beginsTurn ? { beginsTurn } : {}),
        ...(isQuoted ? { isQuoted } : {}),
      };
    }
  }
}

function within({ parentId }: { readonly parentId?: string }): { readonly parentId?: string } {
  return parentId === undefined ? {} : { parentId };
}
