/** True if the user's keyboard is a Mac's. The extension host may run on another machine, so it cannot tell. */
export const isMac = navigator.userAgent.includes('Mac');

/** Only Alt, or Alt with Cmd on a Mac, where Alt alone writes characters such as `ç`. */
export function holdsOnlyAlt(
  { altKey, ctrlKey, metaKey, shiftKey }: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  mac = isMac,
): boolean {
  return altKey && metaKey === mac && !ctrlKey && !shiftKey;
}
