/** Settings that determine which line endings git writes to the disk. */
export interface GitLineEnds {
  readonly autocrlf: boolean | 'input';
  /** `core.eol`; undefined as `native`. */
  readonly eol: 'lf' | 'crlf' | undefined;
}

/** The attributes for a file's line endings, from `git check-attr`. */
export interface LineEndAttributes {
  readonly text: string;
  readonly eol: string;
}

/**
 * The bytes that git writes to the disk for a content of the repository (gitattributes, "End-of-line conversion"), so
 * that restored files have the line endings of a checkout.
 */
export function onDisk(
  blob: Buffer,
  { text, eol }: LineEndAttributes,
  settings: GitLineEnds,
  platform: NodeJS.Platform = process.platform,
): Buffer {
  // `eol` alone makes a file text; `text=auto`, like `core.autocrlf` without attributes, skips binary files and files
  // with a CR.
  const isAuto = text === 'auto' || (text === 'unspecified' && eol === 'unspecified' && settings.autocrlf !== false);
  const isText = text === 'set' || (text === 'unspecified' && (eol === 'crlf' || eol === 'lf'));
  if (!isAuto && !isText) return blob;
  const isCrlf =
    eol === 'crlf' ||
    (eol !== 'lf' &&
      (settings.autocrlf === true ||
        (settings.autocrlf === false && (settings.eol ?? (platform === 'win32' ? 'crlf' : 'lf')) === 'crlf')));
  if (!isCrlf || (isAuto && (blob.includes(13) || isBinary(blob)))) return blob;
  return withCarriageReturns(blob);
}

/** Git's own test for a content without CR: a NUL, or more than one control character in 128 others. */
function isBinary(blob: Buffer): boolean {
  let controls = 0;
  for (const byte of blob) {
    if (byte === 0) return true;
    if (byte === 127 || (byte < 32 && !(byte >= 8 && byte <= 10) && byte !== 12 && byte !== 27)) controls++;
  }
  return (blob.length - controls) >> 7 < controls;
}

function withCarriageReturns(blob: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = blob.indexOf(10); at >= 0; at = blob.indexOf(10, at + 1)) {
    if (at > 0 && blob[at - 1] === 13) continue;
    parts.push(blob.subarray(start, at), carriageReturn);
    start = at;
  }
  return Buffer.concat([...parts, blob.subarray(start)]);
}

const carriageReturn = Buffer.from('\r');
