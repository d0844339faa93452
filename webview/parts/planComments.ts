import type { FormValue } from '../../src/protocol/formView';
import type { UiState } from '../uiState';
import type { PlanBlock } from './planBlocks';

/** What the user wrote about a piece of a plan. */
export interface PlanComment {
  readonly index: number;
  readonly quote: string;
  readonly text: string;
}

/** Keys among what is typed into forms that wait. */
const COMMENTS = 'comments';
const DRAFT = 'commentDraft';

/** The comments on the plan of one permission request. They are kept like what is typed into a form. */
export class PlanComments {
  readonly #form: string;

  /** @param request its name, also after the agent changed it */
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

  /** The comment that is being written. */
  get draft(): PlanComment | undefined {
    const value = this.ui.formValues(this.#form)[DRAFT];
    return typeof value === 'string' && value !== '' ? commentIn(value) : undefined;
  }

  /** What goes to the agent with an answer, also what is still being written. */
  get pending(): readonly PlanComment[] {
    const { all, draft } = this;
    if (!draft || draft.text.trim() === '') return all;
    return [...all.filter(({ index }) => index !== draft.index), { ...draft, text: draft.text.trim() }].sort(
      (a, b) => a.index - b.index,
    );
  }

  /** The request is answered. */
  forget(): void {
    this.ui.forgetForm(this.#form);
  }

  setDraft(draft: PlanComment | undefined): void {
    this.ui.setFormValue(this.#form, DRAFT, draft ? JSON.stringify(draft) : '');
  }

  /** Sets the comment on a block; an empty one is none. */
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

/** The block that a comment is about, also where the agent has moved it since; `undefined` where it is gone. */
export function blockOf({ index, quote }: PlanComment, blocks: readonly PlanBlock[]): PlanBlock | undefined {
  const there = blocks[index];
  return there?.quote === quote ? there : blocks.find((block) => block.quote === quote);
}

/** What the agent is told: each comment below what it is about, and last what the user wrote besides. */
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
