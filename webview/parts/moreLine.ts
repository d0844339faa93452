import { nothing } from 'lit-html';
import type { LongList } from '../../src/protocol/longList';
import { html } from '../lib/html';
import type { PartContext } from './context';

/** Stands for the items of a list that the panel does not have; opens all of them as a document. */
export function moreLine(count: number | undefined, noun: string, list: LongList, entryId: string | undefined, context: PartContext) {
  if (count === undefined) return nothing;
  const show = () => context.post({ type: 'list/open', list, ...(entryId === undefined ? {} : { entryId }) });
  return html`<button type="button" class="more" title="Open all as a document" @click=${show}>${count.toLocaleString('en')} more ${noun}</button>`;
}
