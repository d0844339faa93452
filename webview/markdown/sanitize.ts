import createDOMPurify from 'dompurify';
import { formattingTags } from '../../src/base/formattingTags';
import { visibleProse } from '../../src/base/visibleText';
import { withTagsAsText } from './tags';

/**
 * The only place where a string becomes HTML. The input is raw HTML in an agent's Markdown; the output has only tags
 * that format text, without scripts, styles, forms, frames, ids, classes and remote addresses. Other tags become text.
 * Links and images keep their address, which `dressLinks` checks.
 */
export function sanitize(html: string): DocumentFragment {
  const fragment = purify.sanitize(quiet(withTagsAsText(html)), {
    ALLOWED_TAGS: [...formattingTags],
    ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'align', 'colspan', 'rowspan', 'start', 'open'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // `linkTarget` and `imageSource`, which know workspace files, check the addresses; this only selects what they may
    // see.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|data:image\/|[a-z]:[\\/]|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
    ADD_DATA_URI_TAGS: ['img'],
    RETURN_DOM_FRAGMENT: true,
  });
  const texts = document.createNodeIterator(fragment, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) node.nodeValue = visibleProse(node.nodeValue ?? '');
  return fragment;
}

/**
 * Removes parts that the page's policy would block and report during parsing. This only keeps the console quiet: the
 * sanitiser alone decides what is safe.
 */
function quiet(html: string): string {
  return html
    .replace(/<style\b[^<>]*>[\s\S]*?(?:<\/style\s*>|$)/gi, '')
    .replace(/([\s"'/])(on[a-z]+|style)(?=\s*=)/gi, '$1data-$2');
}

const entities = new Map<string, string>();

/** Replaces character references ("&amp;", "&#x2713;") by their characters. */
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
