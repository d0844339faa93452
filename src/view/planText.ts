import { asObject, stringOf } from '../base/decode';
import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';

/** The parts of a call that leaves a planning mode in which its plan may be. */
export interface PlanCall {
  readonly kind: NonNullable<ToolCallFields['kind']>;
  readonly content: readonly ToolContent[];
  readonly rawInput?: unknown;
}

/** The plan that the agent asks to carry out, as Markdown: the call's text, or else the plan in its input. */
export function planText({ kind, content, rawInput }: PlanCall): string | undefined {
  if (kind !== 'switch_mode') return undefined;
  const texts = content.flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [],
  );
  const said = texts.join('\n\n').trim();
  return said === '' ? planIn(rawInput) : said;
}

/** The input without the plan, which the card shows by itself. */
export function inputBesidePlan(rawInput: unknown, plan: string): unknown {
  if (planIn(rawInput) !== plan) return rawInput;
  const { plan: _plan, ...rest } = asObject(rawInput);
  return rest;
}

function planIn(rawInput: unknown): string | undefined {
  return stringOf(asObject(rawInput)['plan'])?.trim() || undefined;
}
