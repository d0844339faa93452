import type { Update } from '../acp/decodeUpdate';
import type { ThreadAction } from './actions';

/** Turns an ACP v1 update into actions. A later protocol version gets a sibling of this file. */
export function actionsOf(update: Update, at: number): readonly ThreadAction[] {
  switch (update.type) {
    case 'chunk': {
      const { role, content, messageId } = update;
      return [{ type: 'message/chunkAppended', at, role, content, ...(messageId === undefined ? {} : { messageId }) }];
    }
    case 'toolCall': {
      // `_meta` carries terminal output, which is no part of the card; the session reads it for itself.
      const { meta: _meta, ...fields } = update.fields;
      return [{ type: 'toolCall/patched', at, fields }];
    }
    case 'plan':
      return [{ type: 'plan/replaced', at, entries: update.entries }];
    case 'commands':
      return [{ type: 'commands/replaced', at, commands: update.commands }];
    case 'mode':
      return [{ type: 'mode/changed', at, modeId: update.modeId }];
    case 'title':
      return [{ type: 'title/changed', at, title: update.title }];
    case 'other':
      return [];
  }
}
