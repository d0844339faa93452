import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { numberText } from '../../src/base/numberText';
import type { LongList } from '../../src/protocol/longList';
import { html } from '../lib/html';
import type { PartContext } from './context';

/** A button for further items of a list that the panel does not have. It opens all of them as a document. */
export function moreLine(
  count: number | undefined,
  words: (count: string) => string,
  list: LongList,
  entryId: string | undefined,
  context: PartContext,
) {
  if (count === undefined) return nothing;
  const show = () => context.post({ type: 'list/open', list, ...(entryId === undefined ? {} : { entryId }) });
  return html`<button type="button" class="more" title=${l10n.t('Open all as a document')}
    @click=${show}>${words(numberText(count))}</button>`;
}
