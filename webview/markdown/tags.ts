import { formattingTags } from '../../src/base/formattingTags';

/** Allowed attributes: for the look, or a target. Any other attribute makes the tag code that is shown. */
const known = new Set([
  'href',
  'src',
  'alt',
  'title',
  'align',
  'valign',
  'colspan',
  'rowspan',
  'start',
  'open',
  'width',
  'height',
  'border',
  'target',
  'rel',
]);
const formatting = new Set(formattingTags);
const attributes = /(?<!\s)\s+([a-z-]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'={}]+))?/gi;
const tags = /<(?:(\/?)([a-z][^\s/<>]*)([^<>]*)|[!?])/gi;

/** True if HTML begins with a tag that formats. */
export function beginsFormatting(html: string): boolean {
  const match = new RegExp(tags.source, 'i').exec(html);
  return match !== null && formats(match[2], match[3]);
}

/** HTML in which every tag that does not format is text, including its end tag. */
export function withTagsAsText(html: string): string {
  const open: { readonly name: string; readonly formats: boolean }[] = [];
  /** How many of each name are open. */
  const counts = new Map<string, number>();
  return html.replace(
    tags,
    (tag: string, end: string | undefined, name: string | undefined, rest: string | undefined) => {
      // Looked for only if it is there: what is passed over is closed with it, so each is passed over once.
      const isOpen = end === '/' && name !== undefined && (counts.get(name) ?? 0) > 0;
      const closed = isOpen ? open.splice(open.findLastIndex((other) => other.name === name)) : [];
      for (const other of closed) counts.set(other.name, counts.get(other.name)! - 1);
      const keeps = closed[0]?.formats ?? formats(name, rest);
      if (!end && name !== undefined) {
        open.push({ name, formats: keeps });
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return keeps ? tag : `&lt;${tag.slice(1)}`;
    },
  );
}

/** Components have names with a capital letter, and attributes in braces. */
function formats(name: string | undefined, rest = ''): boolean {
  if (
    name === undefined ||
    !formatting.has(name.toLowerCase()) ||
    (name !== name.toLowerCase() && name !== name.toUpperCase())
  )
    return false;
  const unknown = rest.replace(attributes, (whole: string, attribute: string) =>
    known.has(attribute.toLowerCase()) ? '' : whole,
  );
  return ['', '/'].includes(unknown.trim());
}
