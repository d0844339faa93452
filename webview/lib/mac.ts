/** The keyboard before the user is a Mac's. The extension host may run on another machine, so it cannot say. */
export const isMac = navigator.userAgent.includes('Mac');
