import * as vscode from 'vscode';
import type { Attachment } from '../attachments/attachment';
import { fileInWorktree } from '../worktrees/fileInWorktree';
import type { Worktree } from '../worktrees/worktree';
import type { Draft } from './draft';

/**
 * A draft whose files of the repository are those of the worktree, because the user names files by what the editor
 * lists.
 */
export async function draftInWorktree(draft: Draft, worktree: Worktree): Promise<Draft> {
  const moved = (path: string) => fileInWorktree(path, worktree);
  const mentions = draft.mentions.map(async (mention) => ({ ...mention, path: await moved(mention.path) }));
  const attachments = draft.attachments.map((item) => attachmentAt(item, moved));
  return { ...draft, mentions: await Promise.all(mentions), attachments: await Promise.all(attachments) };
}

async function attachmentAt(attachment: Attachment, moved: (path: string) => Promise<string>): Promise<Attachment> {
  const uri = vscode.Uri.parse(attachment.uri);
  if (uri.scheme !== 'file') return attachment;
  const path = await moved(uri.fsPath);
  if (path === uri.fsPath) return attachment;
  const { real: _, ...rest } = attachment;
  return { ...rest, uri: vscode.Uri.file(path).with({ fragment: uri.fragment }).toString() };
}
