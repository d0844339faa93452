import * as l10n from '@vscode/l10n';
import type { DecodedBlock } from '../acp/decodeContent';
import { statusOfState, type SubagentUpdate } from '../acp/decodeSubagent';
import type { ToolCallFields, Update } from '../acp/decodeUpdate';
import { asObject } from '../base/decode';

/** More sessions of subagents are not told apart: an agent must not fill the memory. */
const maxChildren = 10_000;
/** Messages between sessions that may still grow. */
const maxMessages = 100;

interface Child {
  /** The session that began it; perhaps a subagent's, too. */
  readonly parent: string;
  /** What its card shows, for the next card if it works again in a later turn. */
  fields: Partial<ToolCallFields>;
}

type SessionMessage = Pick<Extract<SubagentUpdate, { type: 'sessionMessage' }>, 'sender' | 'recipient' | 'content'>;

/**
 * The sessions of an agent's subagents. Each becomes a call of the session that began it, and all that comes from it
 * belongs to that call, as for agents that flatten their subagents into one session.
 */
export class ChildSessions {
  readonly #children = new Map<string, Child>();
  readonly #messages = new Map<string, SessionMessage>();

  /** The agent's own session above a subagent's; another id is its own. */
  rootOf(sessionId: string): string {
    let root = sessionId;
    for (let child = this.#children.get(root); child; child = this.#children.get(root)) root = child.parent;
    return root;
  }

  /** The call of a subagent's session; undefined for another session. */
  callOf(sessionId: string): string | undefined {
    return this.#children.has(sessionId) ? callIdOf(sessionId) : undefined;
  }

  /** An update of any session as updates of its root. */
  inRoot(sessionId: string, update: Update): readonly Update[] {
    if (update.type === 'subagent') return this.#update(sessionId, update);
    if (update.type === 'sessionMessage') return this.#message(sessionId, update);
    const parentToolCallId = this.callOf(sessionId);
    if (parentToolCallId === undefined) return [update];
    switch (update.type) {
      case 'chunk':
      case 'message':
      case 'messageChunk':
        // The instruction, which is in the input of its call.
        return update.role === 'user' ? [] : [{ ...update, parentToolCallId }];
      case 'toolCall':
        return [{ ...update, fields: { ...update.fields, parentToolCallId } }];
      case 'toolContent':
      case 'terminal':
      case 'terminalBytes':
        return [update];
      case 'usage':
        return [{ type: 'toolCall', fields: { toolCallId: parentToolCallId, tokens: update.usage.used } }];
      case 'state': {
        const status = statusOfState(update.state, update.stopReason);
        return this.#update(this.#children.get(sessionId)!.parent, {
          type: 'subagent',
          sessionId,
          ...(status ? { status } : {}),
        });
      }
      default:
        return [];
    }
  }

  #update(parent: string, update: Extract<SubagentUpdate, { type: 'subagent' }>): readonly Update[] {
    const { sessionId, title, description, canCancel, status } = update;
    let child = this.#children.get(sessionId);
    // A session is neither above itself nor below two others.
    if (child ? child.parent !== parent : this.#isWithin(parent, sessionId) || this.#children.size >= maxChildren)
      return [];
    const isNew = child === undefined;
    child ??= { parent, fields: { kind: 'think', title: l10n.t('Subagent') } };
    this.#children.set(sessionId, child);
    const begins = status === 'in_progress' && child.fields.status !== 'in_progress';
    const fields = {
      ...(title === undefined ? {} : { title }),
      ...(canCancel === undefined ? {} : { canCancel }),
      ...(status === undefined ? {} : { status }),
      ...(description === undefined ? {} : { rawInput: { ...asObject(child.fields.rawInput), description } }),
    };
    child.fields = { ...child.fields, ...fields };
    return [this.#call(sessionId, isNew || begins ? child.fields : fields, begins)];
  }

  /** The instruction is the input of the call, the report its content. The subagent's own view says nothing else. */
  #message(sessionId: string, update: Extract<SubagentUpdate, { type: 'sessionMessage' }>): readonly Update[] {
    const key = `${sessionId}\n${update.messageId}`;
    const known = this.#messages.get(key);
    const { type: _, messageId: _id, isChunk, ...said } = update;
    const message = {
      ...known,
      ...said,
      ...(isChunk ? { content: [...(known?.content ?? []), ...(said.content ?? [])] } : {}),
    };
    this.#messages.set(key, message);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > maxMessages) this.#messages.delete(oldest!);
    const { sender = '', recipient = '', content = [] } = message;
    const receiver = this.#children.get(recipient);
    if (receiver?.parent === sessionId) {
      const rawInput = { ...asObject(receiver.fields.rawInput), prompt: textOf(content) };
      receiver.fields = { ...receiver.fields, rawInput };
      return [this.#call(recipient, { rawInput })];
    }
    if (this.#children.get(sender)?.parent === sessionId)
      return [this.#call(sender, { content: content.map((block) => ({ type: 'content', content: block })) })];
    return [];
  }

  #call(sessionId: string, fields: Partial<ToolCallFields>, announces = false): Update {
    const parentToolCallId = this.callOf(this.#children.get(sessionId)!.parent);
    return {
      type: 'toolCall',
      fields: {
        ...fields,
        toolCallId: callIdOf(sessionId),
        childSession: sessionId,
        ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
      },
      ...(announces ? { announces } : {}),
    };
  }

  #isWithin(sessionId: string, above: string): boolean {
    for (let at: string | undefined = sessionId; at !== undefined; at = this.#children.get(at)?.parent)
      if (at === above) return true;
    return false;
  }
}

/** The agent cannot name it for a call of its own by accident: ids have no spaces. */
function callIdOf(sessionId: string): string {
  return `subagent ${sessionId}`;
}

function textOf(content: readonly DecodedBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
