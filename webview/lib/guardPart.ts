import * as l10n from '@vscode/l10n';
import type { EntryView } from '../../src/protocol/entryView';
import type { EntryPart } from '../parts/context';
import type { Deadline } from './frame';

/** Wraps a part: if it throws, a short notice replaces it and the rest of the thread continues. */
export function guardPart(create: () => EntryPart, log: (error: unknown) => void): EntryPart {
  const element = document.createElement('div');
  let part: EntryPart | undefined;
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      log(error);
      part = undefined;
      const notice = document.createElement('div');
      notice.className = 'broken-part dim';
      notice.textContent = l10n.t('This part cannot be shown. See the log for the error.');
      element.replaceChildren(notice);
      return otherwise;
    }
  };
  return {
    element,
    update(view: EntryView): void {
      attempt(() => {
        // A failed part is tried again with its next view.
        if (!part) {
          part = create();
          part.update(view);
          element.replaceChildren(part.element);
        } else part.update(view);
      }, undefined);
    },
    append: (index: number, text: string) => attempt(() => part?.append?.(index, text), undefined),
    draw: (deadline: Deadline, near: boolean) => attempt(() => part?.draw?.(deadline, near) ?? false, false),
  };
}
