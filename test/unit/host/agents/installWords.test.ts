import { expect, test } from 'vitest';
import { installWords, progressWords } from '../../../../src/host/agents/installWords';
import type { InstallProblem, UvTrouble } from '../../../../src/node/installFailure';
import type { AgentPackage } from '../../../../src/registry/packageNames';

const npm = (code: string): InstallProblem => ({ kind: 'npm', code, output: 'npm error in words' });
const uv = (code: UvTrouble): InstallProblem => ({ kind: 'uv', code, output: 'uv in words' });

test.each<[InstallProblem, string, RegExp]>([
  [{ kind: 'noNode' }, 'Test could not be started', /can’t find Node\.js .* Install it/],
  [{ kind: 'noNpm' }, 'Test could not be installed', /can’t find npm .* Install Node\.js with npm/],
  [{ kind: 'noUv' }, 'Test could not be installed', /can’t find uv on your PATH, .* Install uv/],
  [
    { kind: 'oldNode', file: '/bin/node', version: '18.0.0', wanted: '22' },
    'Test needs a newer Node.js',
    /needs Node\.js 22 or newer\. \/bin\/node is version 18\.0\.0\. Install/,
  ],
  [
    { kind: 'noProgram', output: 'It has no command.' },
    'Test could not be installed',
    /^a@1\.0\.0 can’t be started: It has no command\. Use/,
  ],
  [
    { kind: 'disk', code: 'ENOSPC', output: 'x' },
    'Test could not be installed',
    /disk is full\. Free some space for \/store/,
  ],
  [
    { kind: 'disk', code: 'EROFS', output: 'x' },
    'Test could not be installed',
    /EROFS.* Check the permissions of \/store/,
  ],
  [{ kind: 'disk', code: 'EODD', output: 'odd thing' }, 'Test could not be installed', /odd thing/],
  [npm('E401'), 'Test could not be installed', /refused the download of a@1\.0\.0 \(E401\)\. Sign in with “npm login”/],
  [npm('E403'), 'Test could not be installed', /refused .* \(E403\)/],
  [npm('E404'), 'Test could not be installed', /does not have a@1\.0\.0.* Check/],
  [npm('ETIMEDOUT'), 'Test could not be installed', /can’t reach your registry \(ETIMEDOUT\)\. Check your connection/],
  [npm('ENOTFOUND'), 'Test could not be installed', /can’t reach your registry \(ENOTFOUND\)/],
  [
    npm('EINTEGRITY'),
    'Test could not be installed',
    /differs from the published a@1\.0\.0, so npm did not install it\. Run/,
  ],
  [npm('ENOSPC'), 'Test could not be installed', /disk is full/],
  [npm('SELF_SIGNED_CERT_IN_CHAIN'), 'Test could not be installed', /certificate .* Set “cafile”/],
  [npm('EODD'), 'Test could not be installed', /npm failed to install a@1\.0\.0 \(EODD\)\./],
  [npm(''), 'Test could not be installed', /npm failed to install a@1\.0\.0\./],
  [uv('refused'), 'Test could not be installed', /index refused the download of a@1\.0\.0\. Sign in/],
  [uv('missing'), 'Test could not be installed', /index does not have a@1\.0\.0.* Check the name/],
  [uv('network'), 'Test could not be installed', /uv can’t reach your package index\. Check your connection/],
  [uv('certificate'), 'Test could not be installed', /certificate .* Set SSL_CERT_FILE/],
  [
    uv('integrity'),
    'Test could not be installed',
    /differs from the published a@1\.0\.0, so uv did not install it\. Run “uv cache clean”/,
  ],
  [uv('source'), 'Test could not be installed', /has a build script, which Parley does not run\. Use another version/],
  [uv('noPython'), 'Test could not be installed', /can’t find a Python .* Run “uv python install”/],
  [uv('oldUv'), 'Test could not be installed', /too old for Parley\. Update uv/],
  [uv('ENOSPC'), 'Test could not be installed', /disk is full\. Free some space for \/store/],
  [uv('EACCES'), 'Test could not be installed', /EACCES.* of \/store and of the cache of uv/],
  [uv(''), 'Test could not be installed', /^uv failed to install a@1\.0\.0\./],
])('%j says what happened and what to do', (problem, title, detail) => {
  const words = installWords(problem, 'Test', 'a@1.0.0', '/store');
  expect(words).toEqual({
    title,
    detail: expect.stringMatching(detail),
    ...(problem.kind === 'npm' || problem.kind === 'uv' ? { stderr: problem.output } : {}),
  });
});

test('progress names the package and counts', () => {
  expect(progressWords({ step: 'packages', done: 3, total: 7 }, { manager: 'npm', name: 'a', version: '1.0.0' })).toBe(
    'First start downloads a@1.0.0 with npm: 3 of 7 packages',
  );
  const item: AgentPackage = { manager: 'uv', key: 'uv+a', name: 'a', version: '1.0' };
  expect(progressWords({ step: 'resolving' }, item)).toBe('Looking up the packages of a==1.0 with uv');
  expect([1, 7].map((total) => progressWords({ step: 'packages', total }, item))).toEqual([
    'First start downloads a==1.0 with uv: 1 package',
    'First start downloads a==1.0 with uv: 7 packages',
  ]);
});
