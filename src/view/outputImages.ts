import { type DecodedBlock, imageOf } from '../acp/decodeContent';

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
    if (value === null || (typeof value !== 'object' && typeof value !== 'string') || depth > maxDepth || room-- <= 0)
      return value;
    const block = images.length < maxImages && !Array.isArray(value) ? imageOf(value) : undefined;
    if (Array.isArray(value)) return value.map((item) => without(item, depth + 1));
    if (block?.type !== 'image')
      return typeof value === 'string'
        ? value
        : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, without(field, depth + 1)]));
    images.push(block);
    return `[${block.mimeType}]`;
  };
  const rest = without(rawOutput, 0);
  return { images, rest: images.length === 0 ? rawOutput : rest };
}

/** Whether a text is what stands in the place of an image. */
export function isImageWord(text: string): boolean {
  return /^\[image\/[\w.+-]{1,40}\]$/.test(text);
}
