import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import { moreLine } from './moreLine';

/**
 * What a tool call was given and gave: where, the command, what it says, its input and output.
 * @param reasonOnly only what explains a failure
 */
export function toolDetails(view: ToolCallView, content: HTMLElement | undefined, reasonOnly: boolean, context: PartContext) {
  const command = view.command !== undefined && view.command !== view.title ? view.command : undefined;
  const saysWhy = content !== undefined;
  return html`${reasonOnly || view.locations.length === 0
      ? nothing
      : html`<div class="locations">${view.locations.map(
          (l) => html`<a class="location" href="#" data-path=${l.path} data-line=${l.line ?? ''} title=${l.path}>${icon('file')}<span class="label">${l.label}${l.line
              ? `:${l.line}`
              : ''}</span></a>`,
        )}${moreLine(view.more?.locations, (count) => l10n.t('{0} more locations', count), 'locations', view.id, context)}</div>`}
    ${reasonOnly || command === undefined ? nothing : html`<pre class="asked" tabindex="0">${command}</pre>`}
    ${content ?? nothing}${reasonOnly ? nothing : moreLine(view.more?.content, (count) => l10n.t('{0} more items', count), 'content', view.id, context)}
    ${reasonOnly || view.input === undefined ? nothing : section(l10n.t('Input'), view.input, false)}
    ${view.output === undefined || (reasonOnly && saysWhy) ? nothing : section(l10n.t('Output'), view.output, view.status === 'failed' && !saysWhy)}
    ${reasonOnly || view.name === undefined ? nothing : html`<div class="dim tool-name">${l10n.t('Tool: {0}', view.name)}</div>`}`;
}

/** Whether there is anything beside the head and the cards. */
export function hasDetails(view: ToolCallView): boolean {
  const { input, output, locations, content, command, name, title } = view;
  return input !== undefined || output !== undefined || name !== undefined || locations.length > 0 || content.some((c) => c.type === 'content') || view.more !== undefined || (command !== undefined && command !== title);
}

function section(title: string, text: string, open: boolean) {
  return html`<details class="io" ?open=${open}><summary>${icon('chevron-right')}${title}</summary><pre tabindex="0">${text}</pre></details>`;
}
