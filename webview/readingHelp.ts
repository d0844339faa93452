import type { Replica } from '../src/protocol/patch';
import { linkPathsUnderPointer } from './lib/pathsUnderPointer';
import { followSymbols } from './lib/symbolLinks';
import type { PartContext } from './parts/context';
import { copyWhatIsFar } from './parts/copySelection';
import { PromptHead } from './parts/promptHead';
import type { Thread } from './parts/threadPart';

/**
 * What helps to find one's way in a conversation that is there already, so it is loaded once the panel is.
 * @returns to be called when a frame was drawn
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
