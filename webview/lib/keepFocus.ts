import { focusOn } from './reveal';
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
