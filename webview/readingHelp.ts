import type { Replica } from '../src/protocol/patch';
import { linkPathsUnderPointer } from './lib/pathsUnderPointer';
import { followSymbols } from './lib/symbolLinks';
import type { PartContext } from './parts/context';
import { copyWhatIsFar } from './parts/copySelection';
import { PromptHead } from './parts/promptHead';
import type { Thread } from './parts/threadPart';

/**
 * Loads the aids for reading an existing conversation, after the panel.
 * @returns call it after each frame
 */
export function helpReading(
  thread: Thread,
  replica: Replica,
  context: Pick<PartContext, 'panel' | 'post'>,
): () => void {
  const head = new PromptHead(thread, replica, context);
  thread.element.prepend(head.element);
  copyWhatIsFar(thread, replica);
  followSymbols(thread.element, context);
  linkPathsUnderPointer(thread.element);
  return () => head.settle();
}
