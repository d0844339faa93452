import { keepingFoldersOpen } from '../../node/openWithoutLinks';
import { slices } from '../platform/slices';

/** More files than these are worked on several at a time. */
const MANY = 50;
const AT_ONCE = 8;

/**
 * Works on files, of many some at the same time. The targets of one file in several sessions stay in order.
 * @param step is asked before each; false: nothing more is begun.
 * @param work is told whether there are many. @throws what it throws.
 */
export async function eachFile<T extends { readonly path: string }>(
  targets: readonly T[],
  step: () => boolean,
  work: (target: T, isOneOfMany: boolean) => Promise<unknown>,
): Promise<void> {
  const files = new Map<string, T[]>();
  for (const target of targets) {
    const ofFile = files.get(target.path);
    if (ofFile) ofFile.push(target);
    else files.set(target.path, [target]);
  }
  const isMany = files.size > MANY;
  const nextPart = slices();
  const waiting = files.values();
  let goesOn = true;
  const worker = async (): Promise<void> => {
    for (const ofFile of waiting) {
      for (const target of ofFile) {
        await nextPart();
        goesOn &&= step();
        if (!goesOn) return;
        await work(target, isMany);
      }
    }
  };
  if (isMany) await keepingFoldersOpen(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
  else await worker();
}
