/** The parts of the message box that these keys need. */
interface Box {
  readonly element: HTMLElement;
  focus(): void;
}

/**
 * Keys between the conversation and the message box. A user who clicks on the conversation, to read or to copy, and
 * then types means the box: the key that begins a word, or pastes, moves the focus there and is applied there. Escape
 * and Ctrl+↓ move there without text, Ctrl+↑ in the first line of the box moves back, as in VS Code's own chat. Ctrl+A
 * selects the conversation. Keys on a control stay with it.
 * @param conversation the scroller, which has the focus after a click on it
 */
export function joinKeys(conversation: HTMLElement, box: Box): void {
  document.addEventListener('keydown', (event) => {
    // A click outside all controls leaves the focus with the page. While a page replaces the conversation, it has no
    // keys.
    if ((event.target !== conversation && event.target !== document.body) || conversation.inert) return;
    if (event.key.toLowerCase() === 'a' && holdsOnlyControl(event)) {
      // Keep it from VS Code, which would select a moment later in the element with the focus then.
      event.preventDefault();
      event.stopPropagation();
      getSelection()?.selectAllChildren(conversation);
      return;
    }
    // A held key was meant for the element with the earlier focus, such as an answered question.
    if (event.repeat || event.isComposing || event.defaultPrevented || !leadsToBox(event)) return;
    box.focus();
    if (event.key === 'ArrowDown') event.preventDefault();
  });
  box.element.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowUp' || !holdsOnlyControl(event) || !(event.target instanceof HTMLTextAreaElement)) return;
    if (event.target.value.slice(0, event.target.selectionStart).includes('\n')) return;
    event.preventDefault();
    conversation.focus({ preventScroll: true });
  });
}

function leadsToBox(event: KeyboardEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'Escape') return isPlain;
  if (event.key === 'ArrowDown' || (event.key.toLowerCase() === 'v' && !isPlain)) return holdsOnlyControl(event);
  // A space scrolls. If AltGr makes a character, Ctrl and Alt are reported as held.
  return event.key.length === 1 && event.key !== ' ' && (isPlain || event.getModifierState('AltGraph'));
}

/** Ctrl, or Cmd on a Mac. */
function holdsOnlyControl({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey !== metaKey && !altKey && !shiftKey;
}
