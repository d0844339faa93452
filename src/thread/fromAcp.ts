import type { MessageRole, Update } from '../acp/decodeUpdate';
import type { ThreadAction } from './actions';
import type { Belonging } from './unpromptedWork';

/**
 * Converts a decoded update of either version into actions. @param belonging the conversation part that its words
 * belong to
 */
export function actionsOf(update: Update, at: number, belonging?: Belonging): readonly ThreadAction[] {
  switch (update.type) {
    case 'chunk': {
      const { type: _type, ...chunk } = update;
      return [
        {
          type: 'message/chunkAppended',
          at,
          ...chunk,
          ...(belonging === 'rest' ? { endsAnswer: true as const } : {}),
          ...speaker(update, belonging),
        },
      ];
    }
    case 'toolCall': {
      // `_meta` carries terminal output, which is not part of the card; the session reads it itself.
      const { meta: _meta, ...fields } = update.fields;
      return [{ type: 'toolCall/patched', at, fields }];
    }
    case 'plan':
      return [
        {
          type: 'plan/replaced',
          at,
          entries: update.entries,
          ...(update.planId === undefined ? {} : { planId: update.planId }),
        },
      ];
    case 'commands':
      return [{ type: 'commands/replaced', at, commands: update.commands }];
    case 'mode':
      return [{ type: 'mode/changed', at, modeId: update.modeId }];
    case 'configOptions':
      return [{ type: 'configOptions/replaced', at, configOptions: update.options }];
    case 'title':
      return [{ type: 'title/changed', at, title: update.title }];
    case 'usage':
      return [
        { type: 'usage/updated', at, context: update.usage },
        ...(update.window ? [{ type: 'account/updated', at, account: { windows: [update.window] } } as const] : []),
      ];
    case 'account':
      return [{ type: 'account/updated', at, account: update.account }];
    case 'suggestion':
      return [{ type: 'suggestion/changed', at, ...(update.text === undefined ? {} : { text: update.text }) }];
    case 'notice': {
      const { type: _type, ...notice } = update;
      return [{ type: 'agentNotice/shown', at, ...notice }];
    }
    case 'compaction':
      return [{ type: 'compaction/patched', at, fields: update.fields }];
    case 'compactionChunk':
      return [{ type: 'compaction/chunkAppended', at, compactionId: update.compactionId, content: update.content }];
    case 'message': {
      const { type: _type, ...message } = update;
      return [{ type: 'message/upserted', at, ...message, ...speaker(update, belonging) }];
    }
    case 'messageChunk': {
      const { type: _type, ...chunk } = update;
      return [{ type: 'message/appended', at, ...chunk, ...speaker(update, belonging) }];
    }
    case 'toolContent':
      return [{ type: 'toolCall/contentAppended', at, toolCallId: update.toolCallId, content: update.content }];
    case 'state':
      return [{ type: 'background/reported', at, ...(update.background ? { items: update.background } : {}) }];
    // Not part of the thread: the terminals' owner shows these.
    case 'terminal':
    case 'terminalBytes':
    // The session router makes calls of these.
    case 'subagent':
    case 'sessionMessage':
    case 'other':
      return [];
  }
}

/** Text in the user's role is the user's only in a replay of an earlier conversation, or as an echo of the prompt. */
function speaker({ role }: { readonly role: MessageRole }, belonging: Belonging): { readonly isAgents?: true } {
  return role === 'user' && belonging !== 'history' ? { isAgents: true } : {};
}
