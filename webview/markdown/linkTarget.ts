/** The allowed targets of a link in the agent's text. Any other link is shown as text. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number };

/** Reads a link's address. Only http, https, mailto and local files are allowed. */
export function linkTarget(address: string): LinkTarget | undefined {
  // Browsers skip these characters inside of a scheme ("java\tscript:"); no honest address has them.
  const href = address.trim();
  // eslint-disable-next-line no-control-regex
  if (href === '' || /[\u0000-\u001f\u007f]/.test(href)) return undefined;
  if (/^(?:https?|mailto):/i.test(href)) return isAddress(href) ? { kind: 'web', href } : undefined;
  const local = /^(?:file:|vscode(?:-insiders)?:\/\/file)(\/[^/].*)$/i.exec(href)?.[1];
  if (local !== undefined || /^file:\/\//i.test(href)) return fileUri(local === undefined ? href : `file://${local}`);
  if (href.startsWith('#') || href.startsWith('//') || href.startsWith('\\\\')) return undefined;
  // A drive letter looks like a scheme.
  if (
    /^[a-z][a-z0-9+.-]*:/i.test(href) &&
    !/^[a-z]:[\\/]/i.test(href) &&
    !(/^[^/:]+\.[^/:]/.test(href) && /^[^/:]+:L?\d+(?::\d+)?(?:[-–,]L?\d+(?::\d+)?)?$/.test(href))
  )
    return undefined;
  return file(href);
}

/**
 * The host to show behind a link whose words name another one: a link with the words `https://bank.example` that leads
 * to `evil.example`, or an address that begins with a user name. Undefined if both agree or the words name no host.
 * @param href an http or https address.
 */
export function hostBehind(words: string, href: string): string | undefined {
  const target = URL.canParse(href) ? new URL(href) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) return undefined;
  const named = [...words.matchAll(/\b(?:https?:\/\/|www\.)\S+/gi)].map(([address]) => address);
  // A link that is only a host's name looks like an address without a scheme.
  const only = words.trim();
  if (/^[^\s/@:?#]+\.[^\s/@:.?#]{2,}(?:[/:?#]\S*)?$/.test(only)) named.push(only);
  const agrees = (address: string) => bare(hostOf(address)) === bare(target.host);
  return target.username !== '' || !named.every(agrees) ? target.host : undefined;
}

function hostOf(address: string): string {
  const whole = /^https?:/i.test(address) ? address : `https://${address}`;
  return URL.canParse(whole) ? new URL(whole).host : '';
}

function bare(host: string): string {
  return host.replace(/^www\./, '');
}

function isAddress(href: string): boolean {
  return URL.canParse(href);
}

function fileUri(href: string): LinkTarget | undefined {
  const match = /^file:\/\/(?:localhost)?(\/[^?#]*)(#[^?]*)?$/i.exec(href);
  if (!match) return undefined;
  return file(match[1]!.replace(/^\/([a-z])(?::|%3a)/i, '$1:') + (match[2] ?? ''));
}

/** `path`, `path:12`, `path:12:3`, `path:12-20`, `path#L12`, `path#L12-L20`, `path#12`, `path.ts(12,3)`. */
function file(text: string): LinkTarget | undefined {
  const match =
    /^(.*?)(?:#L?(\d+)(?:[C:]\d+)?(?:[-–,:]L?\d+(?:C\d+)?)?|:L?(\d+)(?::\d+)?(?:[-–,]L?\d+(?::\d+)?)?)$/i.exec(
      text.replace(/(\.\w{1,10}) ?\((?:line )?(\d{1,7})(?:, ?\d{1,7})?\)$/, '$1:$2'),
    );
  const path = decode(match ? match[1]! : withoutHeading(text));
  if (path === '') return undefined;
  const line = Number(match?.[2] ?? match?.[3] ?? 0);
  return line > 0 ? { kind: 'file', path, line } : { kind: 'file', path };
}

/** Removes the heading from a link. A `#` may also be in the name of a file or folder: `c#/a.cs`. */
function withoutHeading(text: string): string {
  const at = text.indexOf('#');
  return at < 0 || (!/\.\w{1,10}$/.test(text.slice(0, at)) && /[./\\]/.test(text.slice(at))) ? text : text.slice(0, at);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
