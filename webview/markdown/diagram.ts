/** A diagram of more characters stays code. */
const LIMIT = 10_000;

type Door = typeof import('../diagram/diagramBlock');

let door: Door | undefined;
let loading: Promise<void> | undefined;

/** Near the view, including scrolling boxes in between. */
const nearby: IntersectionObserverInit & { readonly scrollMargin: string } = {
  rootMargin: '400px',
  scrollMargin: '400px',
};
let observer: IntersectionObserver | undefined;

/** Draws a complete block of code as a diagram once it is near the view, if its language is a diagram language. */
export function offerDiagram(block: HTMLElement, language: string): void {
  if (language !== 'mermaid') return;
  // Mark the block: the same code without its end is another block, which is not drawn.
  block.dataset['diagram'] = '';
  // A diagram that was drawn before appears at once, with its height.
  if (door?.showDrawn(block)) return;
  observer ??= new IntersectionObserver(open, nearby);
  observer.observe(block);
}

function open(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    observer!.unobserve(target);
    loading ??= import('../diagram/diagramBlock').then((module) => {
      door = module;
    }, reportError);
    void loading.then(() => {
      if (target.isConnected) void door?.drawDiagram(target as HTMLElement, LIMIT);
    });
  }
}
