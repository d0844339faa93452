/** Characters of a selection that are passed on; for more, use the keyboard. */
const LONGEST = 1_000_000;

/**
 * VS Code's menu of an answer or a prompt, without cut and paste. VS Code reads the attribute when the menu is opened;
 * it includes the selection, because a command does not know the panel's selection.
 */
export function prepareContextMenu(root: HTMLElement): void {
  root.addEventListener(
    'contextmenu',
    ({ target }) => {
      const message = target instanceof Element ? target.closest<HTMLElement>('.agent-message, .user-message') : null;
      const { vscodeContext } = message?.dataset ?? {};
      if (!message || vscodeContext === undefined) return;
      const selection = getSelection()?.toString() ?? '';
      const { webviewSection, entryId } = JSON.parse(vscodeContext) as Record<string, unknown>;
      message.dataset['vscodeContext'] = JSON.stringify({
        webviewSection,
        entryId,
        preventDefaultContextMenuItems: true,
        ...(selection === '' || selection.length > LONGEST ? {} : { parleySelection: selection }),
      });
    },
    true,
  );
}
