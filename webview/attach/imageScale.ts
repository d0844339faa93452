import { maxImageSide, maxMediaLength } from '../../src/protocol/attachments';

/**
 * The scale at which an image probably fits: its size grows with its area.
 * @param length characters of base64 at full size; 0 if unknown.
 * @returns at most 1
 */
export function fittingScale(width: number, height: number, length: number): number {
  const byLength = length > maxMediaLength ? Math.sqrt(maxMediaLength / length) * 0.9 : 1;
  return Math.min(1, byLength, maxImageSide / Math.max(width, height, 1));
}
