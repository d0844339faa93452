/** Opens the folds of a match in an entry, and scrolls its own scrollers, such as code and output. */
export function showRange(range: Range): void {
  const element = range.startContainer.parentElement!;
  for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null) at.open = true;
  // The code of a diagram.
  element.closest('pre[hidden]')?.dispatchEvent(new Event('beforematch'));
  const scroller = element.closest<HTMLElement>('pre, .diff, .terminal-rows');
  if (!scroller) return;
  const [box, inner] = [range.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (box.top < inner.top || box.bottom > inner.bottom) scroller.scrollTop += box.top - inner.top - inner.height / 2;
  if (box.left < inner.left || box.right > inner.right) scroller.scrollLeft += box.left - inner.left - inner.width / 2;
}

/** Whether a match is in the hidden part of a long prompt. */
export function isCutOff(range: Range): boolean {
  const shown = range.startContainer.parentElement?.closest('.folded .content > .markdown');
  return shown ? range.getBoundingClientRect().bottom > shown.getBoundingClientRect().bottom : false;
}
