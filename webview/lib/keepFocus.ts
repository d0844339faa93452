/**
 * Draws something anew. Where the control that has the focus goes with that, the focus goes to what has come to its place:
 * the same control of the row there, else the first of the strip. Where the strip is gone too it goes nowhere: the message
 * box would send its draft if a key was still held, and Tab leads on from where the strip was.
 */
export function keepFocus(root: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  // An element that is focused in a panel without the focus must not take it from where the user types.
  if (!(active instanceof HTMLElement) || !root.contains(active) || !document.hasFocus()) return draw();
  const strip = active.closest<HTMLElement>('.strip');
  const row = active.closest('li');
  const index = row ? rowsIn(strip).indexOf(row) : -1;
  const fromEnd = row ? buttonsIn(row).indexOf(active) - buttonsIn(row).length : 0;
  draw();
  if (active.isConnected) return;
  const rows = strip?.isConnected ? rowsIn(strip) : [];
  const place = index < 0 ? undefined : rows[Math.min(index, rows.length - 1)];
  const next = (place && buttonsIn(place).at(fromEnd)) ?? (strip?.isConnected ? buttonsIn(strip)[0] : undefined);
  next?.focus();
}

function rowsIn(strip: Element | null): Element[] {
  return [...(strip?.querySelectorAll('li') ?? [])];
}

function buttonsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('button')];
}
