import { focusOn } from './reveal';

/**
 * True if the focus is in an element. If the panel itself has no focus, it must not take it from where the user types.
 */
export function isFocusWithin(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}

/**
 * Draws something anew. If the focused control is removed, the focus goes to its replacement: the same control of the
 * row there, else the toggle of the open list, else the first of the strip. If the strip is gone, too, the focus goes
 * nowhere: the message box would send its draft if a key was still held, and Tab continues from the place of the strip.
 */
export function keepFocus(root: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  // An element focused in a panel without the focus must not take it from where the user types.
  if (!(active instanceof HTMLElement) || !root.contains(active) || !document.hasFocus()) return draw();
  const strip = active.closest<HTMLElement>('.strip');
  const row = active.closest('li');
  const list = row?.parentElement;
  const index = row ? rowsIn(list).indexOf(row) : -1;
  const fromEnd = row ? buttonsIn(row).indexOf(active) - buttonsIn(row).length : 0;
  draw();
  if (active.isConnected || !strip?.isConnected) return;
  const rows = list?.isConnected ? rowsIn(list) : [];
  const place = index < 0 ? undefined : rows[Math.min(index, rows.length - 1)];
  const next =
    (place && buttonsIn(place).at(fromEnd)) ??
    strip.querySelector<HTMLElement>('.strip-line [aria-expanded=true]') ??
    buttonsIn(strip)[0];
  focusOn(next);
}

function rowsIn(list: Element | null | undefined): Element[] {
  return [...(list?.children ?? [])];
}

function buttonsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('button')];
}

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

/**
 * A place that gets the focus once it is drawn. On a busy machine the user may have gone on to an editor by then: the
 * focus stays there, and the place gets it when the panel does.
 */
export class FocusRequest<Place> {
  #place: Place | undefined;
  #hasLeft = false;

  /** @param redraw called when the panel has the focus again and a place waits for it */
  constructor(redraw: () => void) {
    window.addEventListener('blur', () => (this.#hasLeft = true));
    window.addEventListener('focus', () => {
      this.#hasLeft = false;
      if (this.#place !== undefined) redraw();
    });
    // A click chooses its own place.
    window.addEventListener('pointerdown', () => this.#hasLeft && this.drop(), true);
  }

  get place(): Place | undefined {
    return this.#place;
  }

  /** Also for a panel without the focus: VS Code may give it only after this. */
  set(place: Place): void {
    this.#place = place;
    this.#hasLeft = false;
  }

  drop(): void {
    this.#place = undefined;
  }

  /** The place that gets the focus now. */
  take(): Place | undefined {
    if (this.#hasLeft) return undefined;
    const place = this.#place;
    this.drop();
    return place;
  }
}

/** Moves elements within the document without taking the focus or the selection from the user. */
export function keepPlace(move: () => void): void {
  const focused = document.activeElement;
  const selection = getSelection();
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = selection ?? {};
  move();
  if (
    anchorNode?.isConnected &&
    focusNode?.isConnected &&
    (selection!.anchorNode !== anchorNode || selection!.focusNode !== focusNode)
  )
    selection!.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  if (
    document.hasFocus() &&
    focused instanceof HTMLElement &&
    focused !== document.activeElement &&
    focused.isConnected
  )
    focused.focus({ preventScroll: true });
}
