import type { Offer } from './offer';

/** The facts that users agree to before an agent is installed. Texts are hostile. */
export interface ConsentFacts {
  /** The command line as it will run, in readable form. */
  readonly runs: string;
  /** The download: an address, or a package with its version. */
  readonly from: string;
  readonly version: string;
  /** Environment variables that it gets: "NAME=value". */
  readonly env: readonly string[];
  /** How the download is verified: this SHA-256, the hashes of a package registry, or not at all. */
  readonly check: { readonly kind: 'sha256'; readonly sha256: string } | { readonly kind: 'npm' | 'uv' | 'none' };
  /** Differs if any fact above differs. Consent is valid for this fingerprint only. */
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
  const at = spec.slice(1).search(/@|==/);
  return at < 0 ? spec : spec.slice(0, at + 1);
}

/** A command in readable form. */
export function commandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(word).join(' ');
}

/** A text that cannot pass for several lines. */
export function oneLine(text: string): string {
  return /\p{Cc}|[\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

/** A word with blanks or quotes must not look like two. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
