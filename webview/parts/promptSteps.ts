import type { EntryId } from '../../src/protocol/entryId';
import type { Replica } from '../../src/protocol/patch';
import type { Thread } from './threadPart';

/** Alt+↑ and Alt+↓ in the conversation go from prompt to prompt; below the last one is the end. */
export function stepThroughPrompts(thread: Thread, replica: Replica): void {
  thread.element.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0 || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event.target)) return;
    event.preventDefault();
    const prompts = replica.order.filter((id) => replica.entries.get(id)?.kind === 'userMessage');
    const from = indexFrom(event.target as Element, prompts);
    const next = prompts[step < 0 ? Math.ceil(from) - 1 : Math.floor(from) + 1];
    if (next !== undefined) return goTo(next);
    if (step < 0) return;
    thread.scroll.pin();
    thread.element.focus({ preventScroll: true });
  });

  /** Of the prompt that has the focus. Else behind the last one where that is in view, or between the prompts around the top. */
  function indexFrom(target: Element, prompts: readonly EntryId[]): number {
    const focused = prompts.indexOf(target.closest<HTMLElement>('[data-entry]')?.dataset['entry'] ?? '');
    if (focused >= 0) return focused;
    if (thread.scroll.atEnd || isInView(thread.elementOf(prompts.at(-1) ?? ''))) return prompts.length;
    const top = replica.order.indexOf(thread.topEntry() ?? '');
    const above = prompts.filter((id) => replica.order.indexOf(id) < top).length;
    return above - 0.5;
  }

  function isInView(element: HTMLElement | undefined): boolean {
    return element !== undefined && element.getBoundingClientRect().top < thread.element.getBoundingClientRect().bottom;
  }

  function goTo(id: EntryId): void {
    const element = thread.reveal(id);
    if (!element) return;
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    // Entries above it get their heights later.
    thread.scroll.holdAt(() => element.scrollIntoView({ block: 'start' }));
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
