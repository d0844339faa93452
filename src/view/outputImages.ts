import { type DecodedBlock, decodeContentBlock } from '../acp/decodeContent';
import { isObject } from '../acp/json';

/** How deep, and among how many values, images of a raw output are looked for. */
const maxDepth = 5;
const maxValues = 1_000;
/** Images of one output that a card shows. */
const maxImages = 20;

/** A raw output without its images, and the images. */
export interface OutputImages {
  readonly images: readonly DecodedBlock[];
  /** With a word in the place of each image. */
  readonly rest: unknown;
}

/** Finds the images that some tools give only in their raw output, where nobody can see them. */
export function outputImages(rawOutput: unknown): OutputImages {
  const images: DecodedBlock[] = [];
  let room = maxValues;
  const without = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null || depth > maxDepth || room-- <= 0) return value;
    if (Array.isArray(value)) return value.map((item) => without(item, depth + 1));
    const block = images.length < maxImages && isObject(value) && typeof value['type'] === 'string' && /image/.test(value['type']) ? decodeContentBlock(value) : undefined;
    if (block?.type !== 'image') return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, without(field, depth + 1)]));
    images.push(block);
    return `[${block.mimeType}]`;
  };
  const rest = without(rawOutput, 0);
  return { images, rest: images.length === 0 ? rawOutput : rest };
}
