/** The chat view, as `package.json` names it. */
export const chatViewId = 'parley.chat';
