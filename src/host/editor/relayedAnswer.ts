import { asObject, stringOf } from '../../base/decode';
import { sendableImages, sniffMediaType } from '../../base/mediaType';
import { bounded, maxAnswer, shortLine } from '../../editor/answers';
import type { ToolAnswer } from '../../node/editorPipe';

/** Kinds of data that are text. */
const texts = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/;
/** Images of one answer, and bytes of all of them: clients of MCP read up to 10 MB at once. */
const maxImages = 8;
const maxImageBytes = 4 * 1024 * 1024;
/** Nodes of a text in parts that are read. */
const maxNodes = 20_000;

/**
 * The answer for the model from the parts of a tool's result. They are recognized by their form, because the editor may
 * not have all of VS Code's classes, and newer ones are added.
 */
export function relayedAnswer(content: readonly unknown[]): ToolAnswer {
  const said: string[] = [];
  const left: string[] = [];
  const shown: { readonly mimeType: string; readonly data: string }[] = [];
  let room = maxImageBytes;
  for (const part of content) {
    const { value, data, mimeType } = asObject(part);
    const kind = stringOf(mimeType)?.toLowerCase() ?? '';
    if (typeof value === 'string') said.push(value);
    else if (!(data instanceof Uint8Array)) {
      const text = nodeText(asObject(value)['node']);
      if (text === '') left.push('a part that only VS Code’s own chat can show');
      else said.push(text);
    } else if (texts.test(kind)) said.push(Buffer.from(data.subarray(0, maxAnswer * 4)).toString('utf8'));
    else {
      // Models reject a conversation if the type of an image is not that of its bytes.
      const type = kind.startsWith('image/') ? sniffMediaType(data) : undefined;
      if (type && sendableImages.includes(type) && shown.length < maxImages && data.length <= room) {
        room -= data.length;
        shown.push({ mimeType: type, data: Buffer.from(data).toString('base64') });
      } else left.push(`${data.length} bytes of ${kind === '' ? 'an unknown kind' : shortLine(kind)}`);
    }
  }
  if (left.length > 0) said.push(`(Left out: ${left.slice(0, 10).join(', ')}${left.length > 10 ? ', …' : ''})`);
  const text = bounded(said.join('\n'));
  return {
    text: text.trim() === '' && shown.length === 0 ? 'The tool gave no result.' : text,
    ...(shown.length > 0 ? { images: shown } : {}),
  };
}

/** The text of a prompt that `@vscode/prompt-tsx` has made JSON of: nodes of kind 1 have children, those of kind 2 text. */
function nodeText(root: unknown): string {
  const texts: string[] = [];
  const waiting = [root];
  let room = maxAnswer * 2;
  for (let count = 0; waiting.length > 0 && count < maxNodes && room > 0; count++) {
    const { type, text, lineBreakBefore, children } = asObject(waiting.pop());
    if (type === 2 && typeof text === 'string') {
      texts.push(lineBreakBefore === true ? `\n${text}` : text);
      room -= text.length;
    } else if (Array.isArray(children)) waiting.push(...children.slice(0, maxNodes).reverse());
  }
  return texts.join('').trim();
}
