import { visibleText } from '../../src/base/visibleText';
import type { EntryId } from '../../src/protocol/entryId';
import type { Replica } from '../../src/protocol/patch';
import type { EntryGroup } from './entryGroup';
import { shownTexts } from './entryText';

/** Copies also the parts of a selection that are not drawn. */
export function copyWhatIsFar(thread: { readonly groups: readonly EntryGroup[] }, replica: Replica): void {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (
      !selection ||
      event.defaultPrevented ||
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement
    )
      return;
    const text = selectedText(selection, thread.groups, (id) =>
      shownTexts(replica.entries.get(id)!, (terminal) => replica.terminals.get(terminal)).join('\n'),
    );
    if (text === undefined) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
}

/**
 * The text of a selection that includes undrawn entries. Both ends are as drawn; whole groups in between come from the
 * data.
 * @param textOf the text of an entry
 * @returns `undefined` if the whole selection is drawn, and the browser can copy it
 */
function selectedText(
  selection: Selection,
  groups: readonly EntryGroup[],
  textOf: (id: EntryId) => string,
): string | undefined {
  if (selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const selected = groups.filter(({ element }) => range.intersectsNode(element));
  if (selected.every(({ isBuilt }) => isBuilt)) return undefined;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  const texts = selected.map((group) => {
    const part = document.createRange();
    part.selectNodeContents(group.element);
    const cutsStart = range.compareBoundaryPoints(Range.START_TO_START, part) > 0;
    const cutsEnd = range.compareBoundaryPoints(Range.END_TO_END, part) < 0;
    if (!cutsStart && !cutsEnd)
      return group.shownIds
        .map((id) => visibleText(textOf(id)))
        .filter((text) => text !== '')
        .join('\n\n');
    if (cutsStart) part.setStart(range.startContainer, range.startOffset);
    if (cutsEnd) part.setEnd(range.endContainer, range.endOffset);
    // A selection knows the copyable text and the line ends; a range does not.
    selection.removeAllRanges();
    selection.addRange(part);
    return selection.toString();
  });
  if (anchorNode && focusNode) selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  return texts.filter((text) => text !== '').join('\n\n');
}
