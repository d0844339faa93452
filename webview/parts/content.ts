import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import type { ContentView } from '../../src/protocol/contentView';
import { formatSize } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { linkTarget } from '../markdown/linkTarget';

/** Base64 text above this is not decoded in the panel. */
const MEDIA_LIMIT = 20_000_000;

/** Any part of a message except text. */
export function contentElement(view: Exclude<ContentView, { type: 'text' }>): HTMLElement {
  const element = document.createElement('div');
  element.className = `content-${view.type}`;
  render(template(view), element);
  return element;
}

function template(view: Exclude<ContentView, { type: 'text' }>) {
  switch (view.type) {
    case 'image': {
      if (!/^image\/[\w.+-]+$/.test(view.mimeType) || view.data.length > MEDIA_LIMIT)
        return cannotShow(l10n.t('Image cannot be shown ({0}).', sizeOf(view.data)));
      const name = view.uri ? label(view.uri) : l10n.t('Image');
      const image = html`<img src=${`data:${view.mimeType};base64,${view.data}`} alt=${name} title=${name}
        @error=${showBroken}>`;
      const target = view.uri ? linkTarget(view.uri) : undefined;
      return target?.kind === 'file'
        ? html`<a class="image-link" href="#" data-path=${target.path}>${image}</a>`
        : image;
    }
    case 'audio':
      if (!/^audio\/[\w.+-]+$/.test(view.mimeType) || view.data.length > MEDIA_LIMIT)
        return cannotShow(l10n.t('Can’t play audio ({0}).', sizeOf(view.data)));
      return html`<audio controls aria-label=${l10n.t('Audio')}
        src=${`data:${view.mimeType};base64,${view.data}`}></audio>`;
    case 'resource':
      return view.text === undefined
        ? chip(view.uri, view.label, 'file')
        : html`<details class="resource"><summary>${icon('file')}<span class="label">${view.label}</span></summary><pre
          tabindex="0">${view.text}</pre></details>`;
    case 'resourceLink':
      return html`${chip(view.uri, view.label, linkTarget(view.uri)?.kind === 'web' ? 'link' : 'file')}
        ${view.size === undefined ? '' : html`<span class="dim">${formatSize(view.size)}</span>`}
        ${view.description ? html`<span class="dim">${view.description}</span>` : ''}`;
    case 'unknown':
      return html`<span class="dim">${icon('question')} ${l10n.t('Unsupported content: {0}', view.kind)}</span>`;
  }
}

function chip(uri: string, text: string, iconName: string) {
  const target = linkTarget(uri);
  const inner = html`${icon(iconName)}<span class="label">${text}</span>`;
  if (!target) return html`<span class="chip" title=${uri}>${inner}</span>`;
  return target.kind === 'web'
    ? html`<a class="chip" href=${target.href} title=${target.href}>${inner}</a>`
    : html`<a class="chip" href="#" data-path=${target.path} data-line=${target.line ?? ''}
      title=${target.path}>${inner}</a>`;
}

function cannotShow(why: string) {
  return html`<span class="dim">${icon('warning')} ${why}</span>`;
}

/** The size of data that is written in base64. */
function sizeOf(data: string): string {
  return formatSize(data.length * 0.75);
}

function showBroken(event: Event): void {
  const image = event.target as HTMLImageElement;
  const note = document.createElement('span');
  note.className = 'dim';
  note.textContent = visibleLine(l10n.t('{0}: the image cannot be shown.', image.alt));
  image.replaceWith(note);
}

function label(uri: string): string {
  const last = uri.split(/[?#]/, 1)[0]!.replace(/^.*[\\/]/, '');
  try {
    return decodeURIComponent(last) || l10n.t('Image');
  } catch {
    return last;
  }
}
