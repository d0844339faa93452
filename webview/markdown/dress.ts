import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';
import { hostBehind, linkTarget } from './linkTarget';

/** A link that `openLink` in the thread follows through the host; a span if it must not lead anywhere. */
export function linkElement(href: string, title?: string): HTMLElement {
  const target = linkTarget(href);
  if (!target) {
    const span = document.createElement('span');
    span.className = 'inert-link';
    span.title = visibleLine(href);
    return span;
  }
  const link = document.createElement('a');
  if (target.kind === 'web') {
    link.href = target.href;
    link.title = visibleLine(title ? `${title} (${target.href})` : target.href);
  } else {
    link.href = '#';
    link.dataset['path'] = target.path;
    if (target.line !== undefined) link.dataset['line'] = String(target.line);
    link.title = visibleLine(target.line === undefined ? target.path : `${target.path}:${target.line}`);
  }
  return link;
}

/** Adds the actual host to a finished link whose words name another one. */
export function showTrueHost(link: HTMLElement): void {
  const host =
    link instanceof HTMLAnchorElement && link.dataset['path'] === undefined
      ? hostBehind(link.textContent, link.href)
      : undefined;
  if (host === undefined) return;
  const shown = document.createElement('span');
  shown.className = 'link-host';
  shown.textContent = ` (${visibleLine(host)})`;
  link.append(shown);
}

/** An image with its own data; any other image becomes a link to its address and loads nothing. */
export function imageElement(source: string, alt: string): HTMLElement {
  const address = source.trim();
  if (/^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml);base64,[a-z\d+/=\s]*$/i.test(address)) {
    const image = document.createElement('img');
    image.src = address;
    image.alt = visibleLine(alt);
    return image;
  }
  const link = linkElement(address);
  link.classList.add('image-link');
  link.textContent = visibleLine(alt || address || l10n.t('image'));
  return link;
}

/** Replaces the links and images of sanitised HTML with ours. */
export function dressLinks(root: DocumentFragment): void {
  for (const image of root.querySelectorAll('img'))
    image.replaceWith(imageElement(image.getAttribute('src') ?? '', image.alt));
  for (const anchor of root.querySelectorAll('a')) {
    const link = linkElement(anchor.getAttribute('href') ?? '', anchor.title || undefined);
    link.append(...anchor.childNodes);
    showTrueHost(link);
    anchor.replaceWith(link);
  }
}
