const owner = String.raw`(?:admin|api|app|auth|access|bot|client|db|github|gitlab|mysql|npm|pg|private|refresh|root|session|signing|user|webhook)`;
const names = String.raw`(?:^|[\s"'_-])(?:${owner}?(?:token|secret|passw(?:or)?d|api[-_]?key|access[-_]?key|secret[-_]?key|credentials?)|${owner}_?pwd)["']?\s*(?:=|:)\s*`;

/**
 * A value after an option or a name that only takes secrets: quoted, or up to the next blank. A variable is not a
 * secret.
 */
const value = String.raw`(?:"(?![<{%])[^"$\n]{3,}"|'(?![$<{%])[^'\n]{3,}'|(?![$<{%])[^\s"';&|]{3,})`;

/** Common forms of secrets; the text before the secret is the first group, if there is one. */
const certain: readonly RegExp[] = [
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\bgh[opsur]_[A-Za-z0-9]{20,}\b/g,
  /()\bgithub_pat_\w{20,}\b/g,
  /()\bglpat-[\w-]{16,}/g,
  /()\bsk-[\w-]{16,}/g,
  /()\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /()\bxox[abeoprs]-[\w-]{10,}/g,
  /()\bAIza[\w-]{30,}/g,
  /()\bnpm_[A-Za-z0-9]{30,}\b/g,
  /()(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(\bauthorization['"]?\s*[:=]\s*['"]?(?:bearer|basic|token)\s+)[\w+/=.~-]{8,}/gi,
  /(\b\w+:\/\/[^\s:/@'"]+:)[^\s@/'"$]{3,}(?=@)/g,
  // A name before the host is a token if it is long and has digits; else it is a user name.
  /(\b\w+:\/\/)(?=[A-Za-z_+=~-]*\d[A-Za-z_+=~-]*\d)[\w+=~-]{20,}(?=@)/g,
  /([?&#](?:[\w-]{0,40}[_-])?(?:token|secret|passw(?:or)?d|pwd|api[_-]?key|access[_-]?key|signature|sig)=)(?![$<{%])[^\s&#"'`<>)]{6,}/gi,
  /(--(?!no-|ask-|with-|use-)(?:[a-z]{1,20}-){0,3}(?:password|passphrase|token|api-?key|access-?key|secret|secret-?key)[ =]["']?)(?![-$<{%])[^\s"']{4,}/gi,
  new RegExp(String.raw`(\b(?:PGPASSWORD|MYSQL_PWD|SSHPASS|REDISCLI_AUTH)=)${value}`, 'g'),
  new RegExp(String.raw`(\bsshpass\s+(?:-v\s+)?-p\s*)${value}`, 'g'),
  new RegExp(
    String.raw`(\b(?:docker|podman|buildah|skopeo|oc|az|registry)\s+login\b[^\n;|&]{0,200}?\s-p[ =]*)${value}`,
    'g',
  ),
  /(\bcurl\b[^\n;|&]{0,300}?\s(?:-[A-Za-z]{0,10}u {0,9}|--(?:proxy-)?user[ =]{1,9})["']?[^\s:"'$<{%]{1,200}:)(?![$<{%])[^\s"'$]{3,}/g,
  // Remove the whole header: only the site knows which value is the session.
  /(\b(?:set-)?cookie['"]?\s*:\s*['"]?)(?=[\w.-]{1,60}=[^\s$<{%;'"]{6})[^\n'"]+/gi,
  // A quoted text with blanks is a secret if a shell sets a variable; elsewhere it is usually a sentence.
  /(\b[A-Z0-9_]{0,40}(?:TOKEN|SECRET|PASSWO?R?D|API_?KEY|ACCESS_?KEY|SECRET_?KEY|CREDENTIALS?)=)(?:"(?![<{%])[^"$\n]{6,}"|'(?![$<{%])[^'\n]{6,}')/g,
];

/**
 * A value of a name that sounds like a secret, even without its closing quote: a record should rather lose too much.
 */
const assigned = new RegExp(
  String.raw`(${names})(?:"(?![$<{%])[^"\n]{6,}"?|'(?![$<{%])[^'\n]{6,}'?|(?!["'$<{%]|process\.|null\b|true\b|false\b|undefined\b)[^\s"',;&|)]{6,})`,
  'gi',
);

/**
 * The same for literals only: `const token = next(source)` is code and no reason for a warning. The second group is a
 * value without quotes.
 */
const literal = new RegExp(String.raw`${names}(?:(["'])(?![$<{%])[^\s"']{6,}\1|([\w+/=.~-]{8,}))`, 'gim');

/** The length of the longest name in `names`. */
const longestName = 60;

/** True if a text seems to contain a password, a token or a key. */
export function containsSecret(text: string): boolean {
  const isCertain = certain.some((pattern) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  });
  return isCertain || hasLiteral(text);
}

/** Examines each run of characters once: it may have many names in it, and all of them end where it ends. */
function hasLiteral(text: string): boolean {
  literal.lastIndex = 0;
  for (let found = literal.exec(text); found; found = literal.exec(text)) {
    const [, , bare] = found;
    const end = literal.lastIndex;
    if (bare === undefined || (/\d/.test(bare) && /^(?:$|[\s;&|])/.test(text.slice(end, end + 1)))) return true;
    // A name may begin in the run and end after it.
    literal.lastIndex = Math.max(found.index + 1, end - longestName);
  }
  return false;
}

/** The text without parts that look like secrets. */
export function withoutSecretText(text: string): string {
  return [...certain, assigned].reduce((rest, pattern) => rest.replace(pattern, '$1•••'), text);
}
