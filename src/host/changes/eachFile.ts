import { groupedBy } from '../../base/groupedBy';
import { keepingFoldersOpen } from '../../node/openWithoutLinks';
import { slices } from '../platform/slices';

/** Above this number, several files are processed at the same time. */
const MANY = 50;
const AT_ONCE = 8;

/**
 * Processes files, several at the same time if there are many. The targets of one file in several sessions stay in
 * order.
 * @param work gets true if there are many files.
 * @param step is asked before each. After the first false, nothing more begins.
 * @throws any error of `work`.
 */
export async function eachFile<T extends { readonly path: string }>(
  targets: readonly T[],
  work: (target: T, isOneOfMany: boolean) => Promise<unknown>,
  step: () => boolean = () => true,
): Promise<void> {
  const files = groupedBy(targets, ({ path }) => path);
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
