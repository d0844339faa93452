/** Characters of an icon, at most. */
export const maxIcon = 32_000;

/**
 * Elements that only draw. `use` and `image` are not among them: one makes a picture that never ends, the other loads
 * files.
 */
const drawing = new Set([
  'svg',
  'g',
  'path',
  'circle',
  'ellipse',
  'rect',
  'line',
  'polyline',
  'polygon',
  'title',
  'desc',
  'defs',
  'lineargradient',
  'radialgradient',
  'stop',
  'clippath',
  'mask',
]);

/** References inside of a picture, at most: each may repeat what it leads to. */
const maxReferences = 16;

/**
 * Whether an SVG may be drawn as an image. An image runs no script, but one that is made for it can keep a browser busy
 * for ever. So only plain shapes are let through.
 */
export function isDrawableIcon(svg: string): boolean {
  if (svg.length > maxIcon) return false;
  const text = svg.replace(/^\ufeff?\s*(?:<\?xml[^?<>]*\?>\s*)?/, '').replace(/<!--(?:(?!--)[\s\S])*-->/g, '');
  // Neither declarations nor entities of its own.
  if (!/^\s*<svg[\s>]/.test(text) || /<[!?]/.test(text) || /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text))
    return false;
  const names = [...text.matchAll(/<\/?\s*([^\s/>]*)/g)].map(([, name]) => name!.toLowerCase());
  if (!names.every((name) => drawing.has(name))) return false;
  if ((text.match(/url\(/gi) ?? []).length > maxReferences) return false;
  // Neither scripts, style sheets nor addresses, except those of a part of the same picture.
  return !/\son\w+\s*=|\sstyle\s*=|href\s*=|url\((?!#)/i.test(text);
}
