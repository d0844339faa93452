import * as l10n from '@vscode/l10n';

/** Likely causes of a failure without a clear message. */
export type LikelyCause =
  | 'certificate'
  | 'proxy'
  | 'network'
  | 'quota'
  | 'signIn'
  | 'oldNode'
  | 'noNode'
  | 'missingFile'
  | 'noProgram';

/**
 * The order matters: a refused certificate is also a failed connection, and a missing module often follows another
 * error.
 */
const signs: readonly (readonly [LikelyCause, readonly RegExp[]])[] = [
  [
    'certificate',
    [
      /SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:HAS_EXPIRED|UNTRUSTED|SIGNATURE)/i,
      /CERTIFICATE_VERIFY_FAILED|self[- ]signed certificate|unable to (?:verify|get (?:local )?issuer)/i,
      /certificate (?:has expired|verify failed)/i,
    ],
  ],
  [
    'proxy',
    [
      /(?:HTTP|status|code|error)\D{0,12}407\b|proxy authentication|proxyconnect|tunneling socket|ERR_PROXY/i,
      /(?:HTTPS?|ALL)_PROXY/i,
    ],
  ],
  [
    'quota',
    [
      /\bquota\b|rate.?limit|too many requests|(?:HTTP|status|code|error)\D{0,12}429\b/i,
      /insufficient[_ ](?:credit|funds|quota|balance)|credit balance|billing|RESOURCE_EXHAUSTED/i,
    ],
  ],
  [
    'signIn',
    [
      /(?:not|are not) (?:logged|signed) in|please (?:log|sign) ?in/i,
      /(?:log|sign) ?in (?:required|first|again|to continue)|\/login\b|unauthori[sz]ed/i,
      /(?:HTTP|status|code|error)\D{0,12}401\b|auth(?:entication|orization)? (?:required|failed)/i,
      /not authenticated|invalid (?:api|x-api)[- ]key/i,
      /(?:missing|no|set (?:the|your|an?)) (?:\S+ )?api[ _-]?key/i,
      /(?:expired|invalid) (?:token|credentials?|session)|no credentials/i,
    ],
  ],
  [
    'oldNode',
    [
      /unsupported engine|EBADENGINE|requires? (?:at least )?node(?:\.?js)?\b/i,
      /node(?:\.?js)? (?:version )?(?:>=|v?\d+(?:\.\d+)* or (?:newer|higher|later))|ERR_REQUIRE_ESM/i,
      /ERR_UNKNOWN_BUILTIN_MODULE/i,
      /SyntaxError: (?:Unexpected (?:token|identifier|reserved)|Invalid (?:regular|or unexpected))/i,
      /ReferenceError: (?:File|CustomEvent|fetch|crypto) is not defined|does not provide an export named/i,
    ],
  ],
  [
    'noNode',
    [
      /(?:env|exec): [‘'“"]?node[’'”"]?: (?:No such file|not found)|node: (?:command )?not found/i,
      /“?node”? is not recognized|'node' is not recognized/i,
    ],
  ],
  [
    'network',
    [
      /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT)/i,
      /getaddrinfo|fetch failed|network (?:error|is unreachable)/i,
      /(?:connection|connect) (?:refused|timed? ?out)/i,
    ],
  ],
  [
    'noProgram',
    [
      /command not found|\b(?:sh|bash|dash|zsh|ash): [^\n]*not found|is not recognized as an internal/i,
      /spawn \S+ ENOENT|No such command|could not determine executable/i,
    ],
  ],
  [
    'missingFile',
    [
      /Cannot find (?:module|package)|MODULE_NOT_FOUND|ModuleNotFoundError|No module named/i,
      /error while loading shared libraries|Library not loaded/i,
    ],
  ],
];

const helps: Readonly<Record<LikelyCause, () => string>> = {
  certificate: () =>
    l10n.t(
      'The agent does not trust your network’s certificate. Set NODE_EXTRA_CA_CERTS or SSL_CERT_FILE to that ' +
        'certificate in the agent’s env.',
    ),
  proxy: () =>
    l10n.t('Your proxy refused the agent. Check HTTP_PROXY and HTTPS_PROXY, and set them in the agent’s env.'),
  network: () =>
    l10n.t(
      'The agent can’t reach its service. Check your connection. Behind a proxy, set HTTPS_PROXY in the agent’s env.',
    ),
  quota: () => l10n.t('Your account has reached a limit. Check its plan and credit, or wait and check again.'),
  signIn: () =>
    l10n.t(
      'The agent is not signed in. Run “Parley: Sign In”, sign in with the agent’s own program, or correct its API ' +
        'key.',
    ),
  oldNode: () =>
    l10n.t('The agent needs a newer version of Node.js. Install it from nodejs.org, then restart VS Code.'),
  noNode: () => l10n.t('The agent can’t find Node.js. Install it from nodejs.org, then restart VS Code.'),
  noProgram: () =>
    l10n.t(
      'A program that the agent needs is missing. Install it, or enter its full path in the parley.agents setting.',
    ),
  missingFile: () =>
    l10n.t(
      'One of the agent’s files is missing. Install the agent again, or correct its path in the parley.agents setting.',
    ),
};

/** The likely cause, from an agent's error output or error message. */
export function likelyCause(said: string): LikelyCause | undefined {
  return signs.find(([, patterns]) => patterns.some((pattern) => pattern.test(said)))?.[0];
}

/** Advice from an agent's output; undefined if there is none. */
export function likelyHelp(said: string): string | undefined {
  const cause = likelyCause(said);
  return cause && helps[cause]();
}
