#!/usr/bin/env node
/**
 * Stands for uv on PATH, with the words of the real one. `FAKE_UV_PLAN` is JSON: `do` of an installation is `"install"`
 * (default), `"hang"` (starts a process and never ends, half of the environment made) or one of `troubles`; `programs`
 * are those of the package (default: one with its name); `newest` is the version that `uv pip compile` finds. Each run
 * adds a line of JSON with what it was given to the file `FAKE_UV_LOG`.
 *
 * The Python of an environment is Node, and its programs are scripts that name it by its path, as those of uv do: an
 * environment that was moved does not start.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @type {Readonly<Record<string, string>>} */
const troubles = {
  missing:
    '  × No solution found when resolving dependencies:\n  ╰─▶ Because there is no version of agent==1.0.0 and you require\n      agent==1.0.0, we can conclude that your requirements are unsatisfiable.',
  unknown:
    '  × No solution found when resolving dependencies:\n  ╰─▶ Because agent was not found in the package\n      registry and you require agent, we can conclude that your requirements are unsatisfiable.',
  refused:
    '  × No solution found when resolving dependencies:\n  ╰─▶ Because agent was not found in the package registry and you require agent, we can conclude that your requirements are unsatisfiable.\n\nhint: An index URL (http://index.invalid/simple) could not be queried due to a lack of valid authentication credentials (401 Unauthorized).',
  forbidden:
    'error: Failed to fetch: `http://index.invalid/simple/agent/`\n  Caused by: HTTP status client error (403 Forbidden) for url (http://index.invalid/simple/agent/)',
  network:
    'error: Failed to fetch: `http://index.invalid/simple/agent/`\n  Caused by: error sending request for url (http://index.invalid/simple/agent/)\n  Caused by: client error (Connect)\n  Caused by: dns error',
  offline:
    '  × No solution found when resolving dependencies:\n\nhint: Packages were unavailable because the network was disabled. When the network is disabled, registry packages may only be read from the cache.',
  certificate:
    'error: Failed to fetch: `http://index.invalid/simple/agent/`\n  Caused by: error sending request for url (http://index.invalid/simple/agent/)\n  Caused by: client error (Connect)\n  Caused by: invalid peer certificate: UnknownIssuer',
  full: 'error: Failed to install: one-1.0.0-py3-none-any.whl (one==1.0.0)\n  Caused by: failed to write to file: No space left on device (os error 28)',
  readonly: 'error: failed to create directory `/x`: Read-only file system (os error 30)',
  integrity: '  × Failed to download `agent==1.0.0`\n  ╰─▶ Hash mismatch for `agent==1.0.0`',
  source:
    '  × No solution found when resolving dependencies:\n  ╰─▶ Because agent==1.0.0 has no usable wheels and you require agent==1.0.0, we can conclude that your requirements are unsatisfiable.\n\nhint: Wheels are required for `agent` because building from source is disabled for all packages (i.e., with `--no-build`)',
  python: 'error: No interpreter found for Python >=3.12 in managed installations or search path',
  old: "error: unexpected argument '--no-build' found",
  odd: 'error: Something odd',
};

const plan = JSON.parse(process.env['FAKE_UV_PLAN'] ?? '{}');
const args = process.argv.slice(2);
const isInstall = args[0] === 'tool' && args[1] === 'install';
const child =
  plan.do === 'hang' && isInstall
    ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true })
    : undefined;
appendFileSync(
  String(process.env['FAKE_UV_LOG']),
  `${JSON.stringify({ args, cwd: process.cwd(), env: process.env, project: readFileSync('pyproject.toml', 'utf8'), pids: [process.pid, child?.pid] })}\n`,
);

if (plan.do in troubles) {
  console.error(`Using Python 3.12.4 interpreter at: /usr/bin/python3\n${troubles[plan.do]}`);
  process.exitCode = 1;
} else if (isInstall) {
  install(String(args[2]));
} else {
  const spec = readFileSync('requirements.in', 'utf8').trim();
  console.error('Resolved 1 package in 5ms');
  console.log(`${spec.replace(/(?<=\w\]?)[<>=!~].*/, '')}==${plan.newest ?? '1.2.3'}`);
}

/** @param {string} spec */
function install(spec) {
  const name = spec.replace(/[[=].*/, '');
  const environment = join(String(process.env['UV_TOOL_DIR']), name.toLowerCase().replaceAll(/[-_.]+/g, '-'));
  const bin = String(process.env['UV_TOOL_BIN_DIR']);
  for (const folder of [join(environment, 'bin'), bin]) mkdirSync(folder, { recursive: true });
  console.error('Resolved 2 packages in 5ms');
  const python = join(environment, 'bin/python');
  symlinkSync(plan.python ?? process.execPath, python);
  // A program of a package that this one needs.
  writeFileSync(join(environment, 'bin/one'), `#!${python}\nconsole.log("one");\n`, { mode: 0o755 });
  if (child) return;
  console.error(`Prepared 2 packages in 5ms\nInstalled 2 packages in 1ms\n + ${spec}\n + one==1.0.0`);
  const programs = plan.programs ?? [name];
  if (programs.length === 0) {
    console.log(`No executables are provided by package \`${name}\`; removing tool`);
    console.error(`error: Failed to install entrypoints for \`${name}\``);
    process.exitCode = 2;
    return;
  }
  for (const program of programs) {
    writeFileSync(
      join(environment, 'bin', program),
      `#!${python}\nconsole.log("started", ${JSON.stringify(spec)}, process.argv.slice(2).join(" "));\n`,
      { mode: 0o755 },
    );
    symlinkSync(join(environment, 'bin', program), join(bin, program));
  }
  console.error(
    `Installed ${programs.length} executables: ${programs.join(', ')}\nwarning: \`${bin}\` is not on your PATH.`,
  );
}
