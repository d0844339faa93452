/** Text that a program prints for a missing value. */
const nothing = /^(?:\[object Object\]|undefined|null|None|nil|NaN|\{\}|\[\])$/;
/** The most characters of a page that are read. */
const maxPage = 20_000;

/**
 * The readable words of a reason, without the HTML of a gateway's page or the frames of a stack. "" if there are none.
 */
export function plainReason(text: string): string {
  const words = text.trim();
  if (nothing.test(words)) return '';
  const page = /<(?:!doctype html|html|head)\b/i.exec(words.slice(0, maxPage));
  if (page) return pageWords(words, page.index);
  if (/^traceback\b/i.test(words)) return words.slice(words.lastIndexOf('\n') + 1);
  return words.includes('\n')
    ? words
        .split('\n')
        .filter((line) => !/^\s+at \S.{0,500}(?::\d+|\(<anonymous>\)|\(native\))\)?\s*$/.test(line))
        .join('\n')
    : text;
}

/** The title of an HTML page after the words before it. */
function pageWords(text: string, at: number): string {
  const before = text.slice(0, at).trim();
  const page = text.slice(at, at + maxPage);
  const title =
    (/<title[^<>]{0,200}>([^<]{1,500})</i.exec(page) ?? /<h1[^<>]{0,200}>([^<]{1,500})</i.exec(page))?.[1]
      ?.replace(/\s+/g, ' ')
      .trim() ?? '';
  return before === '' || title.startsWith(before) ? title || before : `${before} ${title}`.trim();
}
