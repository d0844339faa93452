const names = String.raw`(?:^|[\s"'_-])(?:token|secret|passw(?:or)?d|api[-_]?key|access[-_]?key|credentials?)["']?\s*(?:=|:)\s*`;

/** Forms in which secrets are commonly written; what stands before the secret itself is the first group, where there is any. */
const certain: readonly RegExp[] = [
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\bgh[opsur]_[A-Za-z0-9]{20,}\b/g,
  /()\bgithub_pat_\w{20,}\b/g,
  /()\bglpat-[\w-]{16,}/g,
  /()\bsk-[\w-]{16,}/g,
  /()\bxox[abeoprs]-[\w-]{10,}/g,
  /()\bAIza[\w-]{30,}/g,
  /()\bnpm_[A-Za-z0-9]{30,}\b/g,
  /()\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(\bauthorization['"]?\s*[:=]\s*['"]?(?:bearer|basic|token)\s+)[\w+/=.~-]{8,}/gi,
  /(\b\w+:\/\/[^\s:/@'"]+:)[^\s@/'"$]{3,}(?=@)/g,
  /(--(?:password|token|api-key|secret)[ =]["']?)(?![$<{%])[^\s"']{4,}/gi,
];

/** What is given to a name that sounds like a secret: better left out of a record once too often. */
const assigned = new RegExp(String.raw`(${names}["']?)(?![$<{%]|process\.|null\b|true\b|false\b|undefined\b)[^\s"',;&|)]{6,}`, 'gi');

/** The same, but a literal: `const token = next(source)` is code and warns of nothing. */
const literal = new RegExp(String.raw`${names}(?:(["'])(?![$<{%])[^\s"']{6,}\1|(?=[\w+/=.~-]*\d)[\w+/=.~-]{8,}(?=$|[\s;&|]))`, 'gim');

/** Whether a text looks as if it held a password, a token or a key. */
export function containsSecret(text: string): boolean {
  return [...certain, literal].some((pattern) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  });
}

/** The text with what looks like a secret left out. */
export function withoutSecretText(text: string): string {
  return [...certain, assigned].reduce((rest, pattern) => rest.replace(pattern, '$1•••'), text);
}
