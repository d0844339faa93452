import type { Update } from '../../../src/acp/decodeUpdate';
import { optionOf } from '../../../src/thread/sessionOptions';
import type { Thread } from '../../../src/thread/thread';

/** Why an update rightly changes nothing; `undefined` where nothing excuses it. */
export function excuseOf(update: Update, thread: Thread): string | undefined {
  switch (update.type) {
    case 'chunk':
      if (update.content.type === 'text' && update.content.text.trim() === '') return 'empty';
      return update.role === 'user' && thread.turn ? 'echo of the prompt' : undefined;
    case 'mode':
      return [undefined, update.modeId].includes(modeOf(thread)) ? 'the same mode' : undefined;
    case 'title':
      return thread.title === update.title ? 'the same title' : undefined;
    case 'commands':
      return thread.commands.length === 0 && update.commands.length === 0 ? 'no commands as before' : undefined;
    case 'plan':
      return thread.plan.length === 0 && update.entries.length === 0 ? 'no plan as before' : undefined;
    case 'usage':
      return thread.usage?.context?.used === update.usage.used && thread.usage.context.size === update.usage.size
        ? 'the same usage'
        : undefined;
    case 'toolCall':
      return Object.keys(update.fields).every(
        (key) => key === 'toolCallId' || key === 'parentToolCallId' || key === 'meta',
      )
        ? 'only _meta'
        : undefined;
    default:
      return undefined;
  }
}

function modeOf(thread: Thread): string | undefined {
  const mode = optionOf(thread.options, 'mode');
  return mode?.type === 'select' ? mode.current : undefined;
}
