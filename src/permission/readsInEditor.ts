import { editorCallOf } from '../editor/editorCall';
import { editorTool } from '../editor/toolTable';
import type { PermissionSubject } from './subject';

/** True for a request to call one of the editor's own tools that only read, and that says nothing of another effect. */
export function readsInEditor({ title, rawInput, command, kind, writes, deletes }: PermissionSubject): boolean {
  if (command || writes.length > 0 || deletes || kind === 'edit') return false;
  const call = editorCallOf(title, rawInput, kind);
  return call !== undefined && editorTool(call.tool)?.effect === 'reads';
}
