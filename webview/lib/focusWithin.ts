/**
 * Whether the focus is in an element. If the panel itself has no focus, it must not take it from where the user types.
 */
export function isFocusWithin(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
