import type { ContentBlock } from '@agentclientprotocol/sdk';
import * as vscode from 'vscode';
import type { AgentFeatures } from '../acp/capabilities';
import type { MentionView } from '../protocol/viewModel';
import type { Thread } from '../thread/thread';
import type { Draft } from './draft';

/** Larger files go as a link; the agent can read what it needs of them. Bytes. */
const maxEmbedded = 512 * 1024;

/** What the thread shows of a prompt: its text, then the mentioned files as links. Needs no agent. */
export function shownPrompt({ text, mentions }: Draft): ContentBlock[] {
  return [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...mentions.map((mention) => linkTo(mention))];
}

/**
 * What is sent: the text as it was typed, and after each piece that ends in a mention the mentioned file, embedded
 * with its unsaved text where the agent takes embedded context (item 77), else as a link (item 75).
 */
export async function buildPrompt({ text, mentions }: Draft, capabilities: AgentFeatures['prompt']): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  let rest = text;
  for (const mention of inOrderOf(text, mentions)) {
    const at = rest.indexOf(mention.token);
    const cut = at === -1 ? 0 : at + mention.token.length;
    if (cut > 0) blocks.push({ type: 'text', text: rest.slice(0, cut) });
    rest = rest.slice(cut);
    blocks.push(capabilities.embeddedContext ? await embed(mention) : linkTo(mention));
  }
  if (rest.trim() !== '') blocks.push({ type: 'text', text: rest });
  return blocks;
}

/** The last prompt of a thread as it was typed, so that it can be sent again after the window was closed. */
export function lastPromptOf(thread: Thread): Draft | undefined {
  for (let index = thread.entries.length - 1; index >= 0; index--) {
    const entry = thread.entries.at(index);
    if (entry?.kind !== 'userMessage') continue;
    const text = entry.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const mentions = entry.parts.flatMap((part) => {
      if (part.type !== 'resource_link' || !part.uri.startsWith('file:')) return [];
      return [{ token: `@${part.name}`, path: vscode.Uri.parse(part.uri).fsPath, label: part.name }];
    });
    return { text, mentions };
  }
  return undefined;
}

function inOrderOf(text: string, mentions: readonly MentionView[]): MentionView[] {
  const place = (mention: MentionView) => {
    const at = text.indexOf(mention.token);
    return at === -1 ? text.length : at;
  };
  return [...mentions].sort((a, b) => place(a) - place(b));
}

function linkTo({ path, label }: MentionView): ContentBlock {
  return { type: 'resource_link', uri: vscode.Uri.file(path).toString(), name: label };
}

async function embed(mention: MentionView): Promise<ContentBlock> {
  const uri = vscode.Uri.file(mention.path);
  try {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (!open) {
      const stat = await vscode.workspace.fs.stat(uri);
      if (stat.type & vscode.FileType.Directory || stat.size > maxEmbedded) return linkTo(mention);
    }
    // Opening refuses binary files, which is what we want to know.
    const document = open ?? (await vscode.workspace.openTextDocument(uri));
    const text = document.getText();
    if (text.length > maxEmbedded) return linkTo(mention);
    return { type: 'resource', resource: { uri: uri.toString(), text } };
  } catch {
    return linkTo(mention);
  }
}
