import type { EntryId } from '../../thread/thread';

/** What a link `vscode://parley.parley/…` asks for. */
export type ParleyLink =
  | { readonly kind: 'session'; readonly id: string; readonly entryId?: EntryId }
  | { readonly kind: 'prompt'; readonly text: string };

/** Characters of a prompt in a link; browsers cut longer addresses. */
export const maxLinkedPrompt = 8_000;

/** Of the parts of a link that VS Code hands over, which it has decoded once. */
interface LinkParts {
  readonly path: string;
  readonly query: string;
}

/**
 * Reads a link. Anybody can write one: what is not exactly a link of Parley's is none.
 * @returns the reason where it is none
 */
export function readLink({ path, query }: LinkParts): ParleyLink | 'unknown' | 'tooLong' {
  if (path === '/prompt' && query.startsWith('text=')) {
    // The only field: VS Code has decoded `%26` already, so nothing tells an `&` of the text from one between fields.
    const text = query.slice('text='.length).replaceAll('\r\n', '\n').trim();
    if (text.length > maxLinkedPrompt) return 'tooLong';
    return text === '' ? 'unknown' : { kind: 'prompt', text };
  }
  const id = /^\/session\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(path)?.[1];
  if (id === undefined) return 'unknown';
  if (query === '') return { kind: 'session', id };
  const entryId = /^at=(e\d{1,9})$/.exec(query)?.[1];
  return entryId === undefined ? 'unknown' : { kind: 'session', id, entryId };
}

/** A link to a session, or to an entry in it. @param scheme of this build of VS Code */
export function sessionLink(scheme: string, extensionId: string, id: string, entryId?: EntryId): string {
  return `${scheme}://${extensionId}/session/${id}${entryId === undefined ? '' : `?at=${entryId}`}`;
}
