import { maxImageSide, maxMediaLength } from '../../src/protocol/attachments';

/**
 * By how much to scale an image so that it probably fits: size grows with the area.
 * @param length characters of base64 at full size; 0 where that is not known.
 * @returns at most 1
 */
export function fittingScale(width: number, height: number, length: number): number {
  const byLength = length > maxMediaLength ? Math.sqrt(maxMediaLength / length) * 0.9 : 1;
  return Math.min(1, byLength, maxImageSide / Math.max(width, height, 1));
}
