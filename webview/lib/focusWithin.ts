/**
 * Whether the user works in an element. One that is focused in a panel without the focus must not take it from where
 * the user types.
 */
export function isFocusWithin(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
