/** The chat view, as `package.json` names it. */
export const chatViewId = 'parley.chat';

/** The type of editor tabs with a session. VS Code stores it with the tabs of a window, so it must not change. */
export const chatEditorType = 'parley.session';

/** The type of editor tabs with one subagent of a session. They close with the window. */
export const subagentEditorType = 'parley.subagent';
