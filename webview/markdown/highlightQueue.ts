import { slices } from '../lib/frame';

/** Colours an element's code in one of the next frames, when there is time and if it is still shown then. */
export function enqueueHighlight(target: Element, task: () => void): void {
  slices.add(() => {
    if (target.isConnected) task();
  });
}
