/** Whether this is `npm run test:long`, which makes the long form of what `npm test` makes in a short one. */
export const isLong = process.env['PARLEY_LONG'] === '1';

/** How often a law is tried. `npm test` tries it an eighth as often. */
export const tries = (long: number): number => (isLong ? long : Math.ceil(long / 8));

/** From one step at which a host is killed to the next. `npm test` leaves some out. */
export const killStride = isLong ? 1 : 4;
