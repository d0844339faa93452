import { createReadStream } from 'node:fs';
import { parsedJson } from '../../base/json';
import type { CancellationToken } from '../../base/cancellation';
import { actionTexts } from '../../thread/actionTexts';
import type { ThreadAction } from '../../thread/actions';

export interface SearchLimits {
  /** Lines of one transcript. */
  readonly hits: number;
  /** Bytes that are read of one transcript. */
  readonly bytes: number;
}

export interface TranscriptHits {
  /** Whole lines, each once, at most `maxLine` characters. */
  readonly lines: readonly string[];
  /** A limit ended the search. */
  readonly isCut: boolean;
}

/** Characters of a stored line, or of a line of text, that are looked at. */
const maxStored = 1_000_000;
export const maxLine = 2_000;

/** What the user typed, as words that a line must have. Upper and lower case are the same. */
export function searchWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Finds lines of a transcript that have all words. The file is read piece by piece and never as a whole, so the host
 * goes on in between. Only stored lines that can have the words are parsed, and those of messages, because a line of a
 * message may be stored in several pieces.
 */
export async function findInTranscript(
  file: string,
  words: readonly string[],
  limits: SearchLimits,
  token: CancellationToken,
): Promise<TranscriptHits> {
  const found = new Set<string>();
  const escaped = words.map((word) => JSON.stringify(word).slice(1, -1));
  const read = (text: string) => {
    if (text.length > maxLine) text = text.slice(0, maxLine);
    const lower = text.toLowerCase();
    if (words.every((word) => lower.includes(word)) && text.trim() !== '') found.add(text.trim());
  };
  let speaker = '';
  let said = '';
  const endMessage = () => {
    if (said !== '') read(said);
    said = '';
  };
  const store = (stored: string) => {
    const isMessage = stored.slice(0, 100).includes('"type":"message/');
    if (!isMessage) endMessage();
    const lower = isMessage ? '' : stored.toLowerCase();
    if (!isMessage && !escaped.every((word) => lower.includes(word))) return;
    const action = parsedJson(stored) as ThreadAction | undefined;
    if (!action) return;
    const texts = actionTexts(action);
    if (isMessage && 'role' in action) {
      const next = `${action.role} ${action.messageId ?? ''}`;
      if (next !== speaker) endMessage();
      speaker = next;
      const lines = `${said}${texts.join('\n')}`.split('\n');
      // More of a line is not read, and a message in one line may have very many pieces.
      said = (lines.pop() ?? '').slice(0, maxLine);
      lines.forEach(read);
    } else for (const text of texts) text.split('\n').forEach(read);
  };

  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 128 * 1024, end: limits.bytes - 1 });
  let rest = '';
  let isTooLong = false;
  let isCut = false;
  try {
    for await (const piece of stream) {
      if (token.isCancellationRequested) break;
      const lines = `${rest}${String(piece)}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!isTooLong && line !== '') store(line);
        isTooLong = false;
      }
      if (rest.length > maxStored) {
        rest = '';
        isTooLong = isCut = true;
      }
      if (found.size >= limits.hits) {
        isCut = true;
        break;
      }
    }
    if (rest !== '' && !isTooLong && !isCut) store(rest);
    endMessage();
  } catch {
    // There is no transcript, or it was deleted meanwhile.
  } finally {
    stream.destroy();
  }
  return {
    lines: [...found].slice(0, limits.hits),
    isCut: isCut || found.size > limits.hits || stream.bytesRead >= limits.bytes,
  };
}
