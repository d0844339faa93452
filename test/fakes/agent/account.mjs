import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** @typedef {import('./wire.mjs').RpcError} RpcError */

/** Who is signed in to the fake agent: nobody until `authenticate`, or until the file of the account is there. */
export class Account {
  /** @param {import('./options.mjs').Options} options */
  constructor(options) {
    this.options = options;
    this.called = false;
    this.failures = [...(options.authenticateErrors ?? [])];
    this.stubborn = options.stubborn ?? 0;
  }

  get isSignedIn() {
    const { authRequired, accountFile } = this.options;
    return !authRequired || this.called || (accountFile !== undefined && existsSync(accountFile));
  }

  /** Why a call is refused, if it is. @param {string} method @returns {RpcError | undefined} */
  refuses(method) {
    const { authRequired, authRequiredFor = ['session/new'] } = this.options;
    if (!authRequired || !authRequiredFor.includes(method)) return undefined;
    if (this.isSignedIn && this.stubborn-- <= 0) return undefined;
    return authRequired === true ? { code: -32000, message: 'Authentication required' } : authRequired;
  }

  /** @param {Record<string, any>} params @returns {RpcError | undefined} */
  authenticate(params) {
    const failure = this.failures.shift();
    if (failure) return failure;
    const { apiKey } = this.options;
    const given = params['_meta']?.['api-key'];
    if (apiKey !== undefined && given !== apiKey && given?.apiKey !== apiKey)
      return { code: -32000, message: `The key ${String(given?.apiKey ?? given)} is not valid` };
    this.called = true;
    return undefined;
  }

  logout() {
    this.called = false;
    if (this.options.accountFile) rmSync(this.options.accountFile, { force: true });
  }
}

/**
 * `fakeAgent.mjs --login`: what an agent does in a terminal to sign in. `--exit N` ends with that code, `--wait` waits
 * for a line of input first; without a code that is not 0 the account's file is written.
 * @param {import('./options.mjs').Options} options @param {import('./wire.mjs').Wire} wire
 */
export async function login(options, wire) {
  const { argv, env } = process;
  wire.note('login', {
    argv: argv.slice(2),
    env: { FAKE_LOGIN: env['FAKE_LOGIN'], FAKE_BASE: env['FAKE_BASE'] },
    cwd: process.cwd(),
    isTTY: process.stdin.isTTY === true,
  });
  console.log('Signing in to the fake agent');
  if (argv.includes('--wait')) {
    console.log('Press Enter to sign in.');
    await new Promise((resolve) => process.stdin.once('data', resolve));
  }
  const code = argv.includes('--exit') ? Number(argv[argv.indexOf('--exit') + 1]) : 0;
  if (code === 0 && options.accountFile) writeFileSync(options.accountFile, 'somebody\n');
  console.log(code === 0 ? 'You are signed in.' : 'That did not work.');
  process.exit(code);
}
