/**
 * Whoever clicks on the conversation, to read or to copy, and then types means the message box: the key that begins a word, or
 * pastes, moves the focus there and arrives there. Escape leads there without a word. Keys on a control stay with it.
 * @param conversation what has the focus after such a click
 */
export function typeIntoBox(conversation: HTMLElement, focusBox: () => void): void {
  conversation.addEventListener('keydown', (event) => {
    if (event.target !== conversation || event.isComposing) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    // A space scrolls. Where AltGr makes a character, Ctrl and Alt are said to be held.
    const types = event.key.length === 1 && event.key !== ' ' && (isPlain || event.getModifierState('AltGraph'));
    const pastes = event.ctrlKey !== event.metaKey && !event.altKey && event.key.toLowerCase() === 'v';
    if (types || pastes || (isPlain && event.key === 'Escape')) focusBox();
  });
}
