import type { Logger } from '../../base/log';
import type { Said } from '../../protocol/fromWebview';
import type { ToWebview } from '../../protocol/messages';
import { existingPaths } from '../platform/existingPaths';
import { findSnippet } from '../platform/snippetLine';

/** Answers what the panel asks about files. Loaded with the first such question. */
export async function answerQuestion(
  question: Said<'paths/query' | 'snippet/query'>,
  { cwd, roots: folders }: { readonly cwd: string; readonly roots: readonly string[] },
  log: Logger,
): Promise<ToWebview> {
  if (question.type === 'paths/query')
    return { type: 'paths/found', paths: question.paths, existing: await existingPaths(question.paths, cwd, folders) };
  const line = await findSnippet(question.path, question.texts, folders, log);
  return { type: 'snippet/found', queryId: question.queryId, ...(line === undefined ? {} : { line }) };
}
