import { fileLines } from '../../node/fileLines';
import { attachmentMeta } from '../attachments/promptBlocks';

/** Bytes of a stored line with a prompt. */
const maxLine = 64 * 1024 * 1024;
const isPrompt = /^\{"type":"(?:turn\/started|prompt\/steered)"/;
const named = new RegExp(`"${attachmentMeta.replaceAll(/[.\\/]/g, '\\$&')}":"([0-9a-f-]{36})"`, 'g');

/**
 * Attachments that only one transcript names.
 * @param file of that
 * @param others of all others: a fork shares those of its original
 */
export async function attachmentsOnlyIn(file: string, others: readonly string[]): Promise<ReadonlySet<string>> {
  const own = new Set(await attachmentsIn(file));
  for (const other of others) {
    if (own.size === 0) break;
    for (const id of await attachmentsIn(other)) own.delete(id);
  }
  return own;
}

/** None where the transcript is not there. */
async function attachmentsIn(file: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const { text } of fileLines(file, maxLine))
      if (text !== undefined && isPrompt.test(text)) ids.push(...[...text.matchAll(named)].map(([, id]) => id!));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return ids;
}
