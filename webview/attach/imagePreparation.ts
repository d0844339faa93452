import * as l10n from '@vscode/l10n';
import { sendableImages, sniffMediaType } from '../../src/base/mediaType';
import { maxImageSide, maxMediaLength, maxPreviewLength, type PreviewView } from '../../src/protocol/attachments';

/** An image in a form that agents accept. `data` is base64. */
export interface PreparedImage {
  readonly data: string;
  readonly preview?: PreviewView;
  /** Its size in pixels, and any conversion. */
  readonly remark: string;
  /** True if it is smaller than the original. */
  readonly scaled: boolean;
}

/** Pixels of a preview's longer side. */
const previewSide = 320;
const rounds = 6;

/**
 * Prepares an image for sending: a type that agents do not know becomes PNG, and a large image is scaled down. Other
 * images are sent byte for byte, so that animations and sharp text stay.
 * @throws Error with a sentence for the user.
 */
export async function prepareImage(blob: Blob, name: string): Promise<PreparedImage> {
  const type = sniffMediaType(new Uint8Array(await blob.arrayBuffer())) ?? blob.type;
  const picture = await decode(blob, type, name);
  const { width, height } = picture;
  try {
    const preview = await previewOf(picture);
    const isKnown = sendableImages.includes(type);
    const original = isKnown ? await toBase64(blob) : '';
    if (isKnown && original.length <= maxMediaLength && Math.max(width, height) <= maxImageSide) {
      return { data: original, ...(preview ? { preview } : {}), remark: `${width} × ${height}`, scaled: false };
    }
    // A photograph as PNG from a canvas is many times larger, so keep the two types that compress as well.
    const target = type === 'image/jpeg' || type === 'image/webp' ? type : 'image/png';
    let scale = fittingScale(width, height, isKnown ? original.length : 0);
    for (let round = 0; round < rounds; round++) {
      const drawn = await encode(picture, scale, target, 0.9);
      const data = await toBase64(drawn);
      if (data.length <= maxMediaLength) {
        const scaled = scale < 1;
        return { data, ...(preview ? { preview } : {}), remark: remarkOf(picture, scale, isKnown), scaled };
      }
      scale *= 0.7;
    }
    throw new Error(l10n.t('{0} is too large to send, even scaled down.', name));
  } finally {
    if (picture instanceof ImageBitmap) picture.close();
  }
}

/** The size of an image in pixels, and any conversion. */
function remarkOf(
  { width, height }: { readonly width: number; readonly height: number },
  scale: number,
  isKnown: boolean,
): string {
  const to = [Math.round(width * scale), Math.round(height * scale)] as const;
  if (scale < 1)
    return isKnown
      ? l10n.t('scaled down from {0} × {1} to {2} × {3}', width, height, ...to)
      : l10n.t('scaled down from {0} × {1} to {2} × {3}, converted to PNG', width, height, ...to);
  return isKnown ? `${width} × ${height}` : l10n.t('{0} × {1}, converted to PNG', width, height);
}

/** Base64 of a blob's bytes. */
export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(l10n.t('The file cannot be read.'))));
    reader.readAsDataURL(blob);
  });
}

/** Decodes a base64 file from the host. */
export function fromBase64(data: string, type: string): Blob {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new Blob([bytes], { type });
}

async function decode(blob: Blob, type: string, name: string): Promise<ImageBitmap | HTMLImageElement> {
  try {
    return type === 'image/svg+xml' ? await decodeSvg(blob) : await createImageBitmap(blob);
  } catch {
    throw new Error(
      sendableImages.includes(type)
        ? l10n.t('{0} is damaged.', name)
        : l10n.t(
            '{0} cannot be converted to an image format that agents support ({1}).',
            name,
            type || l10n.t('unknown type'),
          ),
    );
  }
}

/** In an image element, an SVG runs no script and loads nothing. */
async function decodeSvg(blob: Blob): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${await toBase64(blob)}`;
  await image.decode();
  if (image.naturalWidth === 0) throw new Error('naturalWidth: 0');
  return image;
}

async function encode(
  picture: ImageBitmap | HTMLImageElement,
  scale: number,
  type: string,
  quality?: number,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (!context) throw new Error(l10n.t('There is not enough memory for an image of this size.'));
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, ...(quality === undefined ? {} : { quality }) });
}

async function previewOf(picture: ImageBitmap | HTMLImageElement): Promise<PreviewView | undefined> {
  for (let side = previewSide; side >= 40; side /= 2) {
    const blob = await encode(picture, Math.min(1, side / Math.max(picture.width, picture.height)), 'image/webp', 0.85);
    const data = await toBase64(blob);
    if (data.length <= maxPreviewLength) return { mimeType: blob.type, data };
  }
  return undefined;
}

/**
 * The scale at which an image probably fits: its size grows with its area.
 * @param length characters of base64 at full size; 0 if unknown.
 * @returns at most 1
 */
export function fittingScale(width: number, height: number, length: number): number {
  const byLength = length > maxMediaLength ? Math.sqrt(maxMediaLength / length) * 0.9 : 1;
  return Math.min(1, byLength, maxImageSide / Math.max(width, height, 1));
}
