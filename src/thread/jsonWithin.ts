/**
 * True if a JSON text stays within a depth and a number of values. Linear and without extra memory: a hostile file of a
 * few megabytes can be millions of lists, which are gigabytes once they are parsed. Does not check the syntax.
 */
export function jsonWithin(text: string, maxDepth: number, maxValues: number): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case listBegins:
      case objectBegins:
        if (++depth > maxDepth || ++values > maxValues) return false;
        break;
      case listEnds:
      case objectEnds:
        depth--;
        break;
      case comma:
        if (++values > maxValues) return false;
    }
  }
  return true;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const listBegins = 0x5b;
const listEnds = 0x5d;
const objectBegins = 0x7b;
const objectEnds = 0x7d;

/** The end of the string that begins at `from`; the end of the text if it is not closed. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
