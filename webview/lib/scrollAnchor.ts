/** How near to the end counts as being there, in px. */
const TOLERANCE = 4;

/**
 * Keeps a scroller at its end while the user is at its end, and lets go the moment they scroll up. Reads layout only
 * in `settle`, after all writes of a frame.
 */
export class ScrollAnchor {
  private pinned = true;
  private dragging = false;
  private lastTop = 0;
  private hold: (() => void) | undefined;

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
    scroller.addEventListener('scroll', () => this.handleScroll(), { passive: true });
    scroller.addEventListener(
      'wheel',
      (event) => {
        this.hold = undefined;
        if (event.deltaY < 0) this.release();
      },
      { passive: true },
    );
    scroller.addEventListener('keydown', (event) => this.handleKey(event));
    scroller.addEventListener('pointerdown', (event) => {
      this.hold = undefined;
      // A press on the scroller beyond its content's width is on the scroll bar.
      if (event.target === scroller && event.offsetX >= scroller.clientWidth) this.dragging = true;
    });
    scroller.addEventListener('touchmove', () => this.release(), { passive: true });
    window.addEventListener('pointerup', () => this.endDrag());
    window.addEventListener('pointercancel', () => this.endDrag());
    const observer = new ResizeObserver(() => this.settle());
    observer.observe(content);
    observer.observe(scroller);
  }

  get atEnd(): boolean {
    return this.pinned;
  }

  /**
   * Goes to a place and stays there while far entries around it get their heights, until the user scrolls.
   * @param scroll scrolls to the place; called again when the layout changed
   */
  holdAt(scroll: () => void): void {
    this.setPinned(false);
    this.hold = scroll;
  }

  /** Goes to the end and stays there. */
  pin(): void {
    this.hold = undefined;
    this.setPinned(true);
    this.settle();
  }

  /** Stays where it is, whatever is added. */
  release(): void {
    this.hold = undefined;
    if (this.scroller.scrollHeight > this.scroller.clientHeight) this.setPinned(false);
  }

  /** Call after the writes of a frame. */
  settle(): void {
    this.hold?.();
    // What fits has no place but its end.
    if (this.hold && this.scroller.scrollHeight <= this.scroller.clientHeight) this.pin();
    if (!this.pinned || this.dragging) return;
    const end = this.scroller.scrollHeight - this.scroller.clientHeight;
    if (Math.abs(this.scroller.scrollTop - end) > 0.5) this.scroller.scrollTop = end;
    this.lastTop = this.scroller.scrollTop;
  }

  private handleScroll(): void {
    const top = this.scroller.scrollTop;
    if (this.hold) return;
    if (this.distance() <= TOLERANCE) this.setPinned(true);
    else if (top < this.lastTop - 1) this.setPinned(false);
    this.lastTop = top;
    this.onDidScroll();
  }

  private handleKey(event: KeyboardEvent): void {
    this.hold = undefined;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select')) return;
    if (event.key === 'ArrowUp' || event.key === 'PageUp' || event.key === 'Home') this.release();
    // The end is where the user wants to be, also when it moves on before the browser's own scrolling gets there.
    else if (event.key === 'End') this.pin();
  }

  private endDrag(): void {
    if (!this.dragging) return;
    this.dragging = false;
    this.setPinned(this.distance() <= TOLERANCE);
  }

  private distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  private setPinned(value: boolean): void {
    if (this.pinned === value) return;
    this.pinned = value;
    this.onDidChange();
  }
}
