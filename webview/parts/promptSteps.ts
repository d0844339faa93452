import type { EntryId } from '../../src/protocol/entryId';
import type { Replica } from '../../src/protocol/patch';
import type { Thread } from './threadPart';
import { reveal } from '../lib/reveal';

/**
 * Alt+↑ and Alt+↓ in the conversation move between prompts; below the last one is the end.
 * @returns call it when entries have come: a step may wait for them
 */
export function stepThroughPrompts(thread: Thread, replica: Replica): () => void {
  let awaited: (() => boolean) | undefined;
  for (const type of ['keydown', 'wheel', 'pointerdown'] as const)
    thread.element.addEventListener(type, () => (awaited = undefined), { passive: true });
  thread.element.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0 || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event.target))
      return;
    event.preventDefault();
    const target = event.target as Element;
    awaited = () => go(target, step);
    settle();
  });
  return settle;

  function settle(): void {
    if (awaited?.()) awaited = undefined;
  }

  /** @returns false if that prompt may be among the entries that have not come */
  function go(target: Element, step: 1 | -1): boolean {
    const prompts = replica.order.filter((id) => replica.entries.get(id)?.kind === 'userMessage');
    const from = indexFrom(target, prompts);
    const next = prompts[step < 0 ? Math.ceil(from) - 1 : Math.floor(from) + 1];
    if (next !== undefined) return goToPrompt(thread, next) || true;
    if (!replica.isWhole) return false;
    if (step > 0) {
      thread.scroll.pin();
      thread.element.focus({ preventScroll: true });
    }
    return true;
  }

  /**
   * The index of the focused prompt. Else after the last one if that is in view, or between the prompts around the top.
   */
  function indexFrom(target: Element, prompts: readonly EntryId[]): number {
    const focused = prompts.indexOf(target.closest<HTMLElement>('[data-entry]')?.dataset['entry'] ?? '');
    if (focused >= 0) return focused;
    if (thread.scroll.atEnd || isInView(thread.elementOf(prompts.at(-1) ?? ''))) return prompts.length;
    const order = thread.order();
    const top = order.indexOf(thread.place.topEntry() ?? '');
    const above = prompts.filter((id) => order.indexOf(id) < top).length;
    return above - 0.5;
  }

  function isInView(element: HTMLElement | undefined): boolean {
    return element !== undefined && element.getBoundingClientRect().top < thread.element.getBoundingClientRect().bottom;
  }
}

/** Scrolls to a prompt and focuses it. @returns whether it exists */
export function goToPrompt(thread: Thread, id: EntryId): boolean {
  const element = thread.reveal(id);
  if (!element) return false;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  // Entries above it get their heights later.
  thread.scroll.holdAt(() => reveal(element, 'start'));
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
