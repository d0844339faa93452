import type { FromWebview, Said } from '../../protocol/fromWebview';
import type { LiveSession } from '../sessions/liveSession';

/** The handler of each kind of message. `live` is the session that the view showed when the message came. */
export type PanelActs<T extends FromWebview['type'] = FromWebview['type']> = {
  readonly [K in T]: (message: Said<K>, live: LiveSession) => unknown;
};

/** One handler for several kinds. */
export function acts<T extends FromWebview['type']>(
  types: readonly T[],
  act: (message: Said<T>, live: LiveSession) => unknown,
): PanelActs<T> {
  return Object.fromEntries(types.map((type) => [type, act])) as unknown as PanelActs<T>;
}
