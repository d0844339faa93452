/** @returns the number of bytes of `text` in UTF-8; a lone surrogate counts as U+FFFD (3 bytes). */
export function utf8Length(text: string): number {
  if (!/[^\0-\x7f]/.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPair(text, i)) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** @returns the longest end of `text` that has at most `limit` bytes in UTF-8 and begins with a whole code point. */
export function utf8Tail(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  let at = text.length;
  while (at > 0) {
    const unit = text.charCodeAt(at - 1);
    const pair = at > 1 && isPair(text, at - 2);
    const size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes + size > limit) break;
    bytes += size;
    at -= pair ? 2 : 1;
  }
  return at === 0 ? text : text.slice(at);
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
