import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { LocationView, ToolCallView } from '../../src/protocol/toolCallView';
import { html } from '../lib/html';
import { placeWords } from '../../src/protocol/format';
import { icon } from '../lib/icon';
import { isMissing } from '../markdown/pathLinks';
import type { PartContext } from './context';
import { moreLine } from './moreLine';

/**
 * The details of a tool call: places, command, input and output.
 * @param reasonOnly only the explanation of a failure
 */
export function toolDetails(
  view: ToolCallView,
  content: HTMLElement | undefined,
  reasonOnly: boolean,
  context: PartContext,
) {
  const command = view.command !== undefined && view.command !== view.title ? view.command : undefined;
  const saysWhy = content !== undefined;
  return html`${
    reasonOnly || view.locations.length === 0
      ? nothing
      : html`<div class="locations">${view.locations.map((l) =>
          opens(l, view.id)
            ? html`<a class="location" href="#" data-path=${l.path} data-line=${l.line ?? ''}
              title=${l.path}>${icon('file')}<span class="label">${placeWords(l)}</span></a>`
            : html`<span class="location" title=${l.path}>${icon('file')}<span
              class="label">${placeWords(l)}</span></span>`,
        )}${moreLine(
          view.more?.locations,
          (count) => l10n.t('{0} more locations', count),
          'locations',
          view.id,
          context,
        )}</div>`
  }
    ${reasonOnly || command === undefined ? nothing : html`<pre class="asked" tabindex="0">${command}</pre>`}
    ${content ?? nothing}${
      reasonOnly
        ? nothing
        : moreLine(view.more?.content, (count) => l10n.t('{0} more items', count), 'content', view.id, context)
    }
    ${reasonOnly || view.input === undefined ? nothing : section(l10n.t('Input'), view.input, false)}
    ${
      view.output === undefined || (reasonOnly && saysWhy)
        ? nothing
        : section(l10n.t('Output'), view.output, view.status === 'failed' && !saysWhy)
    }
    ${
      reasonOnly || view.name === undefined
        ? nothing
        : html`<div class="dim tool-name">${l10n.t('Tool: {0}', view.name)}</div>`
    }`;
}

/**
 * True if a place can be opened. The host checks places inside the session's folder; any other is a link that gives the
 * reason if it cannot be opened.
 */
function opens({ path, label, isNoFile }: LocationView, reader: string): boolean {
  return !isNoFile && (label === path || !isMissing(path, reader));
}

/** True if there is more than the head and the cards. */
export function hasDetails(view: ToolCallView): boolean {
  const { input, output, locations, content, command, name, title } = view;
  return (
    input !== undefined ||
    output !== undefined ||
    name !== undefined ||
    locations.length > 0 ||
    content.some((c) => c.type === 'content') ||
    view.more !== undefined ||
    (command !== undefined && command !== title)
  );
}

function section(title: string, text: string, open: boolean) {
  return html`<details class="io" ?open=${open}><summary>${icon('chevron-right')}${title}</summary><pre
    tabindex="0">${text}</pre></details>`;
}
