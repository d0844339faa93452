import { decodeContentBlock } from './decodeContent';
import type { PlanItem, Update } from './decodeUpdate';
import { asObject, stringOf, usableOf } from '../base/decode';

/**
 * Reads `plan` of a `plan_update`, one of several plans (schema v2; v1 unstable). A plan in Markdown or in a file is a
 * message of the agent, which each update replaces. One of an unknown kind replaces an earlier list with its id.
 */
export function decodePlanUpdate(
  raw: unknown,
  decodeItem: (raw: unknown) => PlanItem | undefined,
  issue: (text: string) => void,
): Update | undefined {
  const plan = asObject(raw);
  const planId = stringOf(plan['planId']);
  const { type, content, uri } = plan;
  if (planId === undefined || stringOf(type) === undefined) return undefined;
  if (type === 'items') {
    const entries = usableOf(decodeItem, issue, 'entries')(plan['entries']);
    return entries && { type: 'plan', planId, entries };
  }
  const block = decodeContentBlock(
    type === 'markdown'
      ? { type: 'text', text: content }
      : type === 'file' && { type: 'resource_link', uri, name: uri },
  );
  if (block) return { type: 'message', role: 'agent', messageId: `plan ${planId}`, content: [block] };
  issue(`a plan of the kind ${JSON.stringify(type)} is not shown`);
  return { type: 'plan', planId, entries: [] };
}
