import { expect, test } from 'vitest';
import { type LikelyCause, likelyCause, likelyHelp } from '../../../../../src/host/agents/check/likelyCause';
import { secretValues } from '../../../../../src/host/platform/secretlessLog';

/* What programs were seen to write when they fail, and what that means. */

test.each<[LikelyCause | undefined, string]>([
  ['signIn', 'Invalid API key · Please run /login'],
  ['signIn', 'Error: You are not logged in. Run `codex login`.'],
  ['signIn', 'Please set an API key: GEMINI_API_KEY'],
  ['signIn', 'When using Gemini API, you must specify the GEMINI_API_KEY environment variable. Invalid API key'],
  ['signIn', 'API Error: 401 {"error":{"type":"authentication_error"}}'],
  ['signIn', 'OAuth token has expired: authentication failed'],
  ['oldNode', "SyntaxError: Unexpected token '||='\n    at wrapSafe (internal/modules/cjs/loader.js:1001:16)"],
  ['oldNode', 'Error [ERR_REQUIRE_ESM]: require() of ES Module is not supported'],
  ['oldNode', 'npm WARN EBADENGINE Unsupported engine'],
  ['oldNode', 'This tool requires Node.js 22 or newer'],
  ['oldNode', 'ReferenceError: File is not defined'],
  ['noNode', 'env: node: No such file or directory'],
  ['noNode', '/usr/bin/env: ‘node’: No such file or directory'],
  ['noNode', "'node' is not recognized as an internal or external command"],
  ['proxy', 'Error: tunneling socket could not be established, statusCode=407'],
  ['proxy', 'HTTP 407 Proxy Authentication Required'],
  ['certificate', 'Error: self-signed certificate in certificate chain\n    code: SELF_SIGNED_CERT_IN_CHAIN'],
  ['certificate', 'FetchError: request to https://api.example failed, reason: unable to get local issuer certificate'],
  ['certificate', 'ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'],
  ['network', 'Error: getaddrinfo ENOTFOUND api.example.com'],
  ['network', 'TypeError: fetch failed'],
  ['quota', 'RESOURCE_EXHAUSTED: Quota exceeded for metric'],
  ['quota', 'Your credit balance is too low to access the API'],
  ['quota', 'HTTP error 429: Too Many Requests'],
  ['noProgram', 'sh: 1: claude: not found'],
  ['noProgram', 'bash: gemini: command not found'],
  ['noProgram', 'Error: spawn /opt/claude ENOENT'],
  ['missingFile', "Error: Cannot find module '/opt/agent/cli.js'"],
  ['missingFile', "ModuleNotFoundError: No module named 'acp'"],
  [undefined, ''],
  [undefined, 'panic: index out of range'],
  [undefined, 'at main (index.js:401:7)'],
  [undefined, 'Session abc: not found'],
])('%s: %s', (cause, said) => {
  expect(likelyCause(said)).toBe(cause);
  expect(likelyHelp(said) === undefined).toBe(cause === undefined);
});

test('variables that sound secret are left out of texts, and short values are not', () => {
  expect(
    secretValues({
      ANTHROPIC_API_KEY: 'abcdef',
      GITHUB_TOKEN: 'ghijkl',
      PASSWORD: 'x',
      PATH: '/usr/bin',
      SSH_AUTH_SOCK: '/run/user/1',
      KEYBOARD: 'german',
      NONE_KEY: undefined,
    }),
  ).toEqual(['abcdef', 'ghijkl']);
});
