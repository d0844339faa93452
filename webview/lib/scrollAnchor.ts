/** The distance from the end, in px, that counts as the end. */
const TOLERANCE = 4;

/**
 * Keeps a scroller at its end while the user is there, and stops the moment they scroll up. Reads layout only in
 * `settle`, after all writes of a frame.
 */
export class ScrollAnchor {
  #pinned = true;
  #dragging = false;
  #lastTop = 0;
  #lastDistance = 0;
  #hold: (() => void) | undefined;
  /** The position and layout after the last hold. */
  #held: Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'> | undefined;

  /**
   * @param content the scroller's only child; its growth is followed
   * @param onDidChange called when the user came to the end or left it
   */
  constructor(
    private readonly scroller: HTMLElement,
    content: HTMLElement,
    private readonly onDidChange: () => void,
    private readonly onDidScroll: () => void,
  ) {
    scroller.addEventListener('scroll', () => this.#handleScroll(), { passive: true });
    scroller.addEventListener(
      'wheel',
      (event) => {
        this.#hold = undefined;
        if (event.deltaY < 0) this.release();
      },
      { passive: true },
    );
    scroller.addEventListener('keydown', (event) => this.#handleKey(event));
    scroller.addEventListener('pointerdown', (event) => {
      this.#hold = undefined;
      // A press on the scroller beyond its content's width is on the scroll bar.
      if (event.target === scroller && event.offsetX >= scroller.clientWidth) this.#dragging = true;
    });
    scroller.addEventListener('touchmove', () => this.release(), { passive: true });
    window.addEventListener('pointerup', () => this.#endDrag());
    window.addEventListener('pointercancel', () => this.#endDrag());
    const observer = new ResizeObserver(() => this.settle());
    observer.observe(content);
    observer.observe(scroller);
  }

  get atEnd(): boolean {
    return this.#pinned;
  }

  /**
   * Scrolls to a place and stays there while far entries around it get their heights, until the user scrolls.
   * @param scroll scrolls to the place; called again when the layout changed
   */
  holdAt(scroll: () => void): void {
    this.#setPinned(false);
    this.#hold = scroll;
    this.#held = undefined;
  }

  /** Goes to the end and stays there. */
  pin(): void {
    this.#hold = undefined;
    this.#setPinned(true);
    this.settle();
  }

  /** Keeps its position when content is added. */
  release(): void {
    this.#hold = undefined;
    if (this.scroller.scrollHeight > this.scroller.clientHeight) this.#setPinned(false);
  }

  /** Call after the writes of a frame. */
  settle(): void {
    this.#hold?.();
    if (this.#hold) {
      const { scrollTop, scrollHeight, clientHeight } = this.scroller;
      this.#held = { scrollTop, scrollHeight, clientHeight };
    }
    // Content that fits is always at its end.
    if (this.#hold && this.scroller.scrollHeight <= this.scroller.clientHeight) this.pin();
    if (!this.#pinned || this.#dragging) return;
    const end = this.scroller.scrollHeight - this.scroller.clientHeight;
    if (Math.abs(this.scroller.scrollTop - end) > 0.5) this.scroller.scrollTop = end;
    this.#lastTop = this.scroller.scrollTop;
    this.#lastDistance = 0;
  }

  #handleScroll(): void {
    const top = this.scroller.scrollTop;
    const distance = this.#distance();
    const isNearer = top > this.#lastTop || distance < this.#lastDistance;
    const isUpwards = top < this.#lastTop - 1;
    this.#lastTop = top;
    this.#lastDistance = distance;
    if (this.#hold) {
      if (!this.#isScrolledByOthers()) return;
      this.#hold = undefined;
    }
    // The first steps of a smooth scroll away from the end are still near it, and do not lead back.
    if (distance <= TOLERANCE) {
      if (isNearer) this.#setPinned(true);
    } else if (isUpwards) this.#setPinned(false);
    this.onDidScroll();
  }

  /**
   * Detects scrolling without wheel, keys and pointer: by assistive technology or a moved focus. The browser itself
   * scrolls when the layout changes.
   */
  #isScrolledByOthers(): boolean {
    const { scrollHeight, clientHeight, scrollTop } = this.scroller;
    const held = this.#held;
    return (
      held?.scrollHeight === scrollHeight &&
      held.clientHeight === clientHeight &&
      Math.abs(held.scrollTop - scrollTop) > 1
    );
  }

  #handleKey(event: KeyboardEvent): void {
    this.#hold = undefined;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select')) return;
    if (event.key === 'ArrowUp' || event.key === 'PageUp' || event.key === 'Home') this.release();
    // A long smooth scroll ends early if far entries get their heights on the way.
    if (event.key === 'Home' && !event.shiftKey && !this.#isScrolledWithin(event.target)) this.scroller.scrollTop = 0;
    // The user wants the end, even if it moves before the browser's own scrolling arrives.
    if (event.key === 'End') this.pin();
  }

  /** True if a box in the scroller has scrolled, so that a key is for that box. */
  #isScrolledWithin(target: EventTarget | null): boolean {
    for (let box = target instanceof Element ? target : null; box && box !== this.scroller; box = box.parentElement)
      if (box.scrollTop > 0) return true;
    return false;
  }

  #endDrag(): void {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.#setPinned(this.#distance() <= TOLERANCE);
  }

  #distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  #setPinned(value: boolean): void {
    if (this.#pinned === value) return;
    this.#pinned = value;
    this.onDidChange();
  }
}
