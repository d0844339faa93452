import type { Message } from 'vscode-jsonrpc';
import { isObject, type JsonObject } from '../base/json';
import { ClientMethods } from './methods';
import { maySignal } from './quirks';

/** Characters above which a text is passed on alone: half of the limit of one message part. */
const maxLength = 4_096;

type Take = (message: Message, bytes: number) => void;

interface Held {
  /** The first of the messages, or the only one. */
  readonly message: Message;
  readonly chunk: TextChunk;
  text: string;
  bytes: number;
}

/** A message that is one chunk of text and nothing else. */
interface TextChunk {
  readonly sessionId: unknown;
  readonly tag: unknown;
  readonly messageId: unknown;
  readonly text: string;
}

/**
 * Joins consecutive text chunks from one read of the pipe. Agents send one per token, and every listener of the session
 * pays for each message. A chunk with further fields is passed on alone.
 */
export class JoinedChunks {
  #held: Held | undefined;

  /** @param take gets the messages in the order of the wire, with their length on the wire in bytes */
  constructor(private readonly take: Take) {}

  /** Takes a message. It stays here until the next one or `flush` if more text may follow. */
  add(message: Message, bytes: number): void {
    const chunk = textChunkOf(message);
    if (chunk && this.#held && isContinued(this.#held, chunk)) {
      this.#held.text += chunk.text;
      this.#held.bytes += bytes;
      return;
    }
    this.flush();
    // White space alone may not be a message; the thread decides.
    if (chunk && chunk.text.trim() !== '') this.#held = { message, chunk, text: chunk.text, bytes };
    else this.take(message, bytes);
  }

  /** Passes on what is left. Call it after each read, so that no text is delayed. */
  flush(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    this.take(held.text === held.chunk.text ? held.message : withText(held.message, held.text), held.bytes);
  }
}

function isContinued({ chunk: first, text }: Held, chunk: TextChunk): boolean {
  return (
    text.length < maxLength &&
    chunk.sessionId === first.sessionId &&
    chunk.tag === first.tag &&
    chunk.messageId === first.messageId
  );
}

/** Chunks of the user are not joined: each is compared with the prompt. */
function textChunkOf(message: Message): TextChunk | undefined {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== ClientMethods.sessionUpdate || sizeOf(message) !== 3 || !isObject(params) || sizeOf(params) !== 2)
    return undefined;
  const { update } = params;
  if (!isObject(update)) return undefined;
  const { sessionUpdate: tag, content, messageId } = update;
  if (
    (tag !== 'agent_message_chunk' && tag !== 'agent_thought_chunk') ||
    sizeOf(update) !== (messageId === undefined ? 2 : 3)
  )
    return undefined;
  if (!isObject(content) || content['type'] !== 'text' || sizeOf(content) !== 2) return undefined;
  const { text } = content;
  return typeof text === 'string' && !maySignal(text)
    ? { sessionId: params['sessionId'], tag, messageId, text }
    : undefined;
}

function withText(message: Message, text: string): Message {
  const { params } = message as unknown as { readonly params: { readonly update: JsonObject } };
  return {
    ...message,
    params: { ...params, update: { ...params.update, content: { type: 'text', text } } },
  } as Message;
}

/** How many members an object has. */
function sizeOf(object: object): number {
  let size = 0;
  for (const _ in object) size++;
  return size;
}
