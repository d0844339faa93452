import { slices } from '../lib/frame';

/** Colours an element's code in a later frame with enough time, if it is still shown then. */
export function enqueueHighlight(target: Element, task: () => void): void {
  slices.add(() => {
    if (target.isConnected) task();
  });
}
