/** What a program writes in place of a value that it has not. */
const nothing = /^(?:\[object Object\]|undefined|null|None|nil|NaN|\{\}|\[\])$/;
/** Characters of a page that are read. */
const maxPage = 20_000;

/**
 * The words of a reason, without what only a program reads: the page of a gateway, the frames of a stack. "" for none.
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

/** The title of a page behind the words before it. */
function pageWords(text: string, at: number): string {
  const before = text.slice(0, at).trim();
  const page = text.slice(at, at + maxPage);
  const title =
    (/<title[^<>]{0,200}>([^<]{1,500})</i.exec(page) ?? /<h1[^<>]{0,200}>([^<]{1,500})</i.exec(page))?.[1]
      ?.replace(/\s+/g, ' ')
      .trim() ?? '';
  return before === '' || title.startsWith(before) ? title || before : `${before} ${title}`.trim();
}
