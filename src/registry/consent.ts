import type { Offer } from './offer';

/** What users agree to before an agent is installed. Texts are hostile. */
export interface ConsentFacts {
  /** The command line as it will run, in words that can be read. */
  readonly runs: string;
  /** What is downloaded: an address, or a package with its version. */
  readonly from: string;
  readonly version: string;
  /** Variables that are set for it: "NAME=value". */
  readonly env: readonly string[];
  /** What checks the download: this SHA-256, the hashes of a package registry, or nothing. */
  readonly check: { readonly kind: 'sha256'; readonly sha256: string } | { readonly kind: 'npm' | 'uv' | 'none' };
  /** Differs where anything above does. An agreement is to this alone. */
  readonly fingerprint: string;
}

/** @param from the address of an archive, resolved */
export function consentFacts(offer: Offer, version: string, from: string): ConsentFacts {
  const program = offer.kind === 'archive' ? offer.program : (offer.program ?? nameOf(offer.package));
  const facts = {
    runs: commandLine(program, offer.args),
    from,
    version,
    env: Object.entries(offer.env).map(([name, value]) => `${name}=${oneLine(value)}`),
    check: checkOf(offer),
  };
  return { ...facts, fingerprint: JSON.stringify(facts) };
}

function checkOf(offer: Offer): ConsentFacts['check'] {
  if (offer.kind !== 'archive') return { kind: offer.kind };
  return offer.sha256 === undefined ? { kind: 'none' } : { kind: 'sha256', sha256: offer.sha256 };
}

/** The name of a package without its version. */
function nameOf(spec: string): string {
  return spec.replace(/(?!^)(?:@|==).*$/, '');
}

/** A command as a user can read it. */
export function commandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(word).join(' ');
}

/** A text that cannot pose as another line. */
export function oneLine(text: string): string {
  return /\p{Cc}|[\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

/** A word with blanks or quotes must not look like two. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
