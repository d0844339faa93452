/** True if the user's keyboard is a Mac's. The extension host may run on another machine, so it cannot tell. */
export const isMac = navigator.userAgent.includes('Mac');
