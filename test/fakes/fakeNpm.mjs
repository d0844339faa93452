#!/usr/bin/env node
/**
 * Stands for npm on PATH. `FAKE_NPM_PLAN` is JSON: `do` of a run is `"install"` (default), `"hang"` (starts a process
 * and never ends, half of the packages unpacked), `"full"` (warns of a file that it could not write, and ends well) or
 * a code such as `"E404"`; `script` gives the package an install script, `engines` and `bin` stand in its package.json;
 * `view` is what `npm view` prints. Each run adds a line of JSON with what it was given to the file `FAKE_NPM_LOG`.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const plan = JSON.parse(process.env['FAKE_NPM_PLAN'] ?? '{}');
const args = process.argv.slice(2);
const child =
  plan.do === 'hang' && args.includes('--timing')
    ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true })
    : undefined;
appendFileSync(
  String(process.env['FAKE_NPM_LOG']),
  `${JSON.stringify({ args, cwd: process.cwd(), env: process.env, files: existsSync('.npmrc'), pids: [process.pid, child?.pid] })}\n`,
);

/** Name and version of the one package that is to be installed. @type {[string, string]} */
const own = existsSync('package.json')
  ? /** @type {any} */ (Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)[0])
  : ['', ''];
if (String(plan.do).startsWith('E')) {
  console.error(`npm http fetch GET 404 https://registry.invalid/ 1ms\nnpm error code ${plan.do}\nnpm error in words`);
  process.exitCode = 1;
} else if (args[0] === 'view') {
  console.log(JSON.stringify(plan.view ?? '1.2.3'));
} else if (args.includes('--package-lock-only')) {
  lock();
} else if (args[0] === 'rebuild') {
  writeFileSync('rebuilt', args.join(' '));
} else {
  unpack();
}

function lock() {
  const [name, version] = own;
  const packages = {
    '': { name: 'parley-agent', dependencies: { [name]: version } },
    [`node_modules/${name}`]: {
      version,
      dependencies: { one: '1.0.0' },
      optionalDependencies: { elsewhere: '1.0.0' },
      integrity: 'sha512-x',
      ...(plan.script ? { hasInstallScript: true } : {}),
      ...(plan.engines ? { engines: { node: plan.engines } } : {}),
    },
    'node_modules/one': { version: '1.0.0' },
    'node_modules/elsewhere': {
      version: '1.0.0',
      optional: true,
      os: ['no-system'],
      dependencies: { beyond: '1.0.0' },
    },
    'node_modules/beyond': { version: '1.0.0', optional: true },
  };
  writeFileSync('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
}

function unpack() {
  for (const place of plan.do === 'hang' ? ['node_modules/one'] : ['node_modules/one', `node_modules/${own[0]}`]) {
    mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, 'package.json'),
      JSON.stringify({
        name: place.slice('node_modules/'.length),
        version: own[1],
        ...(plan.engines ? { engines: { node: plan.engines } } : {}),
        ...(plan.bin === null ? {} : { bin: plan.bin ?? 'bin/cli.js' }),
      }),
    );
    mkdirSync(join(place, 'bin'), { recursive: true });
    writeFileSync(
      join(place, 'bin/cli.js'),
      '#!/usr/bin/env node\nconsole.log("started", process.argv.slice(2).join(" "));\n',
    );
    if (plan.do === 'full') console.error('npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write');
    console.error(`npm timing reifyNode:${place} Completed in 3ms`);
  }
  mkdirSync(join(dirname('package.json'), '.npm-logs'), { recursive: true });
}
