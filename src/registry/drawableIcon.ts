/** The most characters of an icon. */
export const maxIcon = 32_000;

/** Elements that only draw. `use` and `image` are not among them: `use` can draw endlessly, `image` loads files. */
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

/** The most references inside a picture: each may repeat its target. */
const maxReferences = 16;

/**
 * True if an SVG may be drawn as an image. An image runs no script, but a hostile one can keep a browser busy for ever.
 * So only plain shapes are allowed.
 */
export function isDrawableIcon(svg: string): boolean {
  if (svg.length > maxIcon) return false;
  const text = svg.replace(/^\ufeff?\s*(?:<\?xml[^?<>]*\?>\s*)?/, '').replace(/<!--(?:(?!--)[\s\S])*-->/g, '');
  // No declarations, and no entities of its own.
  if (!/^\s*<svg[\s>]/.test(text) || /<[!?]/.test(text) || /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text))
    return false;
  const names = [...text.matchAll(/<\/?\s*([^\s/>]*)/g)].map(([, name]) => name!.toLowerCase());
  if (!names.every((name) => drawing.has(name))) return false;
  if ((text.match(/url\(/gi) ?? []).length > maxReferences) return false;
  // No scripts, style sheets or addresses, except references to a part of the same picture.
  return !/\son\w+\s*=|\sstyle\s*=|href\s*=|url\((?!#)/i.test(text);
}
