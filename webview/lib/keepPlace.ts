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
