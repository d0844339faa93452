/** The chat view, as `package.json` names it. */
export const chatViewId = 'parley.chat';

/** Editor tabs with a session. VS Code keeps it with the tabs of a window, so it stays. */
export const chatEditorType = 'parley.session';
