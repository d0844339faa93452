import * as l10n from '@vscode/l10n';
import type { EntryView } from '../../src/protocol/entryView';
import { LateCode, LatePart } from '../lib/latePart';
import type { EntryPart, PartContext } from './context';
import { AgentMessagePart, UserMessagePart } from './message';
import { NoticePart } from './notice';
import { ThoughtPart } from './thought';
import { ToolCallPart } from './toolCall';
import type { Deadline } from '../lib/frame';

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

/** Wraps a part: if it throws, a short notice replaces it and the rest of the thread continues. */
function guardPart(create: () => EntryPart, log: (error: unknown) => void): EntryPart {
  const element = document.createElement('div');
  let part: EntryPart | undefined;
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      log(error);
      part = undefined;
      const notice = document.createElement('div');
      notice.className = 'broken-part dim';
      notice.textContent = l10n.t('This part cannot be shown. See the log for the error.');
      element.replaceChildren(notice);
      return otherwise;
    }
  };
  return {
    element,
    update(view: EntryView): void {
      attempt(() => {
        // A failed part is tried again with its next view.
        if (!part) {
          part = create();
          part.update(view);
          element.replaceChildren(part.element);
        } else part.update(view);
      }, undefined);
    },
    append: (index: number, text: string) => attempt(() => part?.append?.(index, text), undefined),
    draw: (deadline: Deadline, near: boolean) => attempt(() => part?.draw?.(deadline, near) ?? false, false),
  };
}
