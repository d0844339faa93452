import type { FormValue } from '../../src/protocol/formView';
import type { UiState } from '../uiState';
import type { PlanBlock } from './planBlocks';

/** The user's comment on a block of a plan. */
export interface PlanComment {
  readonly index: number;
  readonly quote: string;
  readonly text: string;
}

/** Keys among the typed values of pending forms. */
const COMMENTS = 'comments';
const DRAFT = 'commentDraft';

/** The comments on the plan of one permission request. They are stored like form values. */
export class PlanComments {
  readonly #form: string;

  /** @param request its name, which stays after a change by the agent */
  constructor(
    private readonly ui: UiState,
    request: string,
  ) {
    this.#form = `plan:${request}`;
  }

  get all(): readonly PlanComment[] {
    const value: FormValue | undefined = this.ui.formValues(this.#form)[COMMENTS];
    return Array.isArray(value) ? value.flatMap((text: string) => commentIn(text) ?? []) : [];
  }

  /** The unfinished comment. */
  get draft(): PlanComment | undefined {
    const value = this.ui.formValues(this.#form)[DRAFT];
    return typeof value === 'string' && value !== '' ? commentIn(value) : undefined;
  }

  /** The comments that are sent with an answer, including an unfinished one. */
  get pending(): readonly PlanComment[] {
    const { all, draft } = this;
    if (!draft || draft.text.trim() === '') return all;
    return [...all.filter(({ index }) => index !== draft.index), { ...draft, text: draft.text.trim() }].sort(
      (a, b) => a.index - b.index,
    );
  }

  /** The request was answered. */
  forget(): void {
    this.ui.forgetForm(this.#form);
  }

  setDraft(draft: PlanComment | undefined): void {
    this.ui.setFormValue(this.#form, DRAFT, draft ? JSON.stringify(draft) : '');
  }

  /** Sets the comment on a block; an empty one removes it. */
  set({ index, quote, text }: PlanComment): void {
    const others = this.all.filter((comment) => comment.index !== index || comment.quote !== quote);
    const all = text.trim() === '' ? others : [...others, { index, quote, text: text.trim() }];
    this.ui.setFormValue(
      this.#form,
      COMMENTS,
      all.sort((a, b) => a.index - b.index).map((comment) => JSON.stringify(comment)),
    );
  }
}

/** The block of a comment, even if the agent has moved it; `undefined` if it is gone. */
export function blockOf({ index, quote }: PlanComment, blocks: readonly PlanBlock[]): PlanBlock | undefined {
  const there = blocks[index];
  return there?.quote === quote ? there : blocks.find((block) => block.quote === quote);
}

/** The text for the agent: each comment below its quote, and the user's other note at the end. */
export function planNote(comments: readonly PlanComment[], text: string): string {
  const said = comments.map((comment) => `> ${comment.quote}\n\n${comment.text}`);
  return [
    ...(said.length > 0 ? ['Comments on the plan:', ...said] : []),
    ...(text.trim() === '' ? [] : [text.trim()]),
  ].join('\n\n');
}

function commentIn(json: string): PlanComment | undefined {
  try {
    const { index, quote, text } = JSON.parse(json) as Record<string, unknown>;
    return typeof index === 'number' && typeof quote === 'string' && typeof text === 'string'
      ? { index, quote, text }
      : undefined;
  } catch {
    return undefined;
  }
}
