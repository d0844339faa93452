import { decoded, type Decoder, flag, ifRight, listOf, number, objectOf, recordOf, textUpTo } from '../base/decode';
import type { FormValue, FormValues } from './formView';
import { maxMentions, maxPromptLength } from './messages';
import type { MentionView, PanelUiState } from './viewModel';

/** The most characters of one value; no answer in a form is longer. */
const maxValue = 1_000_000;
const maxFields = 200;
const maxChosen = 2_000;

const text = textUpTo(maxPromptLength);
const chosen = listOf(textUpTo(maxValue), maxChosen);

const formValue: Decoder<FormValue> = (raw) =>
  typeof raw === 'boolean' ? raw : Array.isArray(raw) ? chosen(raw) : textUpTo(maxValue)(raw);

/** The typed values of a form. */
export const formValues: Decoder<FormValues> = recordOf(formValue, maxFields);

/** The files that a message names. */
export const mentions: Decoder<readonly MentionView[]> = listOf(
  objectOf<MentionView>({ token: text, path: text, label: text }),
  maxMentions,
);

/**
 * A panel's own state: the draft, the position, the open cards. Invalid parts are left out unless they are essential.
 */
export const uiState: Decoder<PanelUiState> = objectOf<PanelUiState>({
  draft: text,
  mentions,
  expanded: (raw) =>
    Object.fromEntries(
      Object.entries(
        decoded(
          recordOf((value) => value),
          raw,
        ) ?? {},
      ).filter((pair): pair is [string, boolean] => decoded(flag, pair[1]) !== undefined),
    ),
  scroll: ifRight(objectOf<NonNullable<PanelUiState['scroll']>>({ entryId: text, offset: number })),
  forms: ifRight(recordOf(formValues, maxFields)),
  editing: ifRight(objectOf<NonNullable<PanelUiState['editing']>>({ entryId: text, draft: text, mentions })),
  hasMoved: () => undefined,
});

/** Also reads the state of an earlier version. @returns undefined for anything else */
export function decodeUiState(raw: unknown): PanelUiState | undefined {
  return decoded(uiState, raw);
}
