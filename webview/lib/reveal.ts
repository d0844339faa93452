/**
 * Scrolls an element into view within the panel. The browser's own `scrollIntoView` and a plain `focus` also scroll
 * what VS Code has around the webview, which then stays some pixels over its header.
 */
export function reveal(element: Element | null | undefined, block: 'start' | 'center' | 'nearest' = 'nearest'): void {
  if (!element) return;
  const { scrollMarginBlockStart } = getComputedStyle(element);
  for (let scroller = element.parentElement; scroller; scroller = scroller.parentElement) {
    const { overflowY, scrollPaddingBlockStart } = getComputedStyle(scroller);
    if ((overflowY !== 'auto' && overflowY !== 'scroll') || scroller.scrollHeight <= scroller.clientHeight) continue;
    const { top, bottom } = element.getBoundingClientRect();
    const edge = scroller.getBoundingClientRect().top + scroller.clientTop;
    const above = top - px(scrollMarginBlockStart) - edge - px(scrollPaddingBlockStart);
    const below = bottom - edge - scroller.clientHeight;
    scroller.scrollTop +=
      block === 'start'
        ? above
        : block === 'center'
          ? (above + px(scrollPaddingBlockStart) + below) / 2
          : nearest(above, below);
  }
}

/** Moves the focus, and scrolls only within the panel. */
export function focusOn(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
  reveal(element);
}

/** An element that is higher than the view is not moved while it fills the view. */
function nearest(above: number, below: number): number {
  if (above < 0) return below > 0 ? 0 : above;
  return Math.max(0, Math.min(below, above));
}

/** 0 for "auto". */
function px(length: string): number {
  return Number.parseFloat(length) || 0;
}
