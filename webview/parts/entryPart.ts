import type { EntryView } from '../../src/protocol/entryView';
import { guardPart } from '../lib/guardPart';
import { LateCode, LatePart } from '../lib/latePart';
import type { EntryPart, PartContext } from './context';
import { AgentMessagePart, UserMessagePart } from './message';
import { NoticePart } from './notice';
import { ThoughtPart } from './thought';
import { ToolCallPart } from './toolCall';

const forms = new LateCode(() => import('./elicitationPart'));
const compactions = new LateCode(() => import('./compaction'));

/** The part that draws an entry of this kind. */
export function createEntryPart(kind: EntryView['kind'], context: PartContext): EntryPart {
  const part = guardPart(
    () => create(kind, context) as EntryPart,
    (error) => context.log(error),
  );
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
      return new LatePart((view) => {
        const code = compactions.get(() => context.redraw(view.id), context.log);
        return code && (new code.CompactionPart(context) as EntryPart);
      });
    case 'elicitation':
      return new LatePart((view) => {
        const code = forms.get(() => context.redraw(view.id), context.log);
        return code && (new code.ElicitationPart(context) as EntryPart);
      });
    case 'notice':
      return new NoticePart(context);
  }
}
