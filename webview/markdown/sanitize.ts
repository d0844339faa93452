import createDOMPurify from 'dompurify';
import { formattingTags } from '../../src/base/formattingTags';
import { visibleProse } from '../../src/base/visibleText';
import { withTagsAsText } from './tags';

/**
 * The one place where a string becomes HTML. What comes in is raw HTML out of an agent's Markdown; what goes out has
 * only tags that format text, without scripts, styles, forms, frames, ids, classes and remote addresses.
 * Other tags are text. Links and images keep their address for `dressLinks` to judge.
 */
export function sanitize(html: string): DocumentFragment {
  const fragment = purify.sanitize(quiet(withTagsAsText(html)), {
    ALLOWED_TAGS: [...formattingTags],
    ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'align', 'colspan', 'rowspan', 'start', 'open'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Addresses are judged by `linkTarget` and `imageSource`, which know workspace files; here only what they may see
    // passes.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|data:image\/|[a-z]:[\\/]|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
    ADD_DATA_URI_TAGS: ['img'],
    RETURN_DOM_FRAGMENT: true,
  });
  const texts = document.createNodeIterator(fragment, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) node.nodeValue = visibleProse(node.nodeValue ?? '');
  return fragment;
}

/**
 * Takes away what the page's policy would block and report while the text is parsed. This keeps the console quiet and
 * nothing else: what is safe is decided by the sanitiser alone.
 */
function quiet(html: string): string {
  return html
    .replace(/<style\b[^>]*>[\s\S]*?(?:<\/style\s*>|$)/gi, '')
    .replace(/([\s"'/])(on[a-z]+|style)(?=\s*=)/gi, '$1data-$2');
}

const entities = new Map<string, string>();

/** Replaces character references ("&amp;", "&#x2713;") with what they stand for. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (reference) => {
    let value = entities.get(reference);
    if (value === undefined) {
      value = sanitize(reference).textContent ?? reference;
      entities.set(reference, value);
    }
    return value;
  });
}

const purify = createDOMPurify(window);
