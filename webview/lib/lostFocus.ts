/** Moves the focus when the focused control is removed or disabled. */
export class LostFocus {
  #last: { readonly control: Element; readonly goOn: () => void } | undefined;

  /** @param places the new focus for each element in which a control loses it */
  constructor(root: HTMLElement, places: ReadonlyMap<HTMLElement, () => void>) {
    root.addEventListener('focusin', ({ target }) => {
      const around = [...places].find(([element]) => target !== element && element.contains(target as Node));
      this.#last = around && { control: target as Element, goOn: around[1] };
    });
  }

  /** Call it in each frame, after everything is drawn. */
  settle(): void {
    const last = this.#last;
    if (!last || document.activeElement !== document.body || !document.hasFocus()) return;
    // A click on an empty place also blurs the control, which still exists then.
    if (!last.control.isConnected || last.control.matches(':disabled')) last.goOn();
    this.#last = undefined;
  }
}
