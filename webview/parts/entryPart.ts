import type { EntryView } from '../../src/protocol/entryView';
import { guardPart } from '../lib/guardPart';
import { CompactionPart } from './compaction';
import type { EntryPart, PartContext } from './context';
import { ElicitationPart } from './elicitationPart';
import { AgentMessagePart, UserMessagePart } from './message';
import { NoticePart } from './notice';
import { ThoughtPart } from './thought';
import { ToolCallPart } from './toolCall';

/** The part that draws an entry of this kind. */
export function createEntryPart(kind: EntryView['kind'], context: PartContext): EntryPart {
  const part = guardPart(() => create(kind, context) as EntryPart, (error) => context.log(error));
  part.element.className = `entry entry-${kind}`;
  return part;
}

function create(kind: EntryView['kind'], context: PartContext) {
  switch (kind) {
    case 'userMessage':
      return new UserMessagePart(context);
    case 'agentMessage':
      return new AgentMessagePart(context);
    case 'thought':
      return new ThoughtPart(context);
    case 'toolCall':
      return new ToolCallPart(context);
    case 'compaction':
      return new CompactionPart(context);
    case 'elicitation':
      return new ElicitationPart(context);
    case 'notice':
      return new NoticePart(context);
  }
}
