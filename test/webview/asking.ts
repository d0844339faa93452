import type { PermissionOptionView, PermissionView } from '../../src/protocol/permissionView';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import type { PanelPage } from './panelPage';
import { asked, toolCall } from './views.mjs';

/* Calls that ask, for the tests of permission requests. */

export const options: PermissionOptionView[] = [
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  { optionId: 'yes', name: 'Yes, <b>do</b> it', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
];

export function asking(
  id: string,
  title: string,
  fields: Partial<ToolCallView> = {},
  more: Partial<PermissionView> = {},
): ToolCallView {
  return toolCall(id, {
    title,
    status: 'waiting',
    durationMs: undefined,
    permissions: [asked(`r-${id}`, title, options, fields, more)],
    ...fields,
  });
}

export function pending(id: string, title: string) {
  return { requestId: `r-${id}`, entryId: id, kind: 'permission' as const, title, askedAt: 0 };
}

export const card = (panel: PanelPage, title: string) =>
  panel.page.getByRole('group', { name: `Permission: ${title}`, exact: true });
