/** Where the focus goes on when the control that has it goes or is disabled. */
export class LostFocus {
  private last: { readonly control: Element; readonly place: HTMLElement } | undefined;

  /** @param places of what in them is lost, the key of the element that takes the focus */
  constructor(root: HTMLElement, places: ReadonlyMap<HTMLElement, HTMLElement>) {
    root.addEventListener('focusin', ({ target }) => {
      const around = [...places].find(([element]) => target !== element && element.contains(target as Node));
      this.last = around && { control: target as Element, place: around[1] };
    });
  }

  /** Call in a frame, when all is drawn. */
  settle(): void {
    const { last } = this;
    if (!last || document.activeElement !== document.body || !document.hasFocus()) return;
    // Who clicks beside it leaves it; that it is there tells the two apart.
    if (!last.control.isConnected || last.control.matches(':disabled')) last.place.focus({ preventScroll: true });
    this.last = undefined;
  }
}
