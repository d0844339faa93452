import { spawn } from 'node:child_process';

/**
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, say?: (line: string) => void, label?: string }}
 * RunOptions
 */

/**
 * Runs a program to its end and resolves to its exit code and everything it printed. Output is shown as it comes unless
 * `quiet`; then it is shown only by whoever finds the exit code wanting. `say` gets it line by line instead.
 * @param {string} command @param {readonly string[]} args @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd, env, quiet = false, say } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    let begun = '';
    /** @param {NodeJS.WriteStream} stream */
    const take = (stream) => (/** @type {string} */ text) => {
      output += text;
      if (say) {
        const lines = (begun + text).split('\n');
        begun = lines.pop() ?? '';
        lines.forEach(say);
      } else if (!quiet) stream.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', take(process.stdout));
    child.stderr.setEncoding('utf8').on('data', take(process.stderr));
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on('close', (code) => {
      if (begun) say?.(begun);
      resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * Runs a program that must succeed; its output is in the error when it does not.
 * @param {string} command @param {readonly string[]} args @param {RunOptions} [options]
 */
export async function mustRun(command, args, options = {}) {
  const { code, output } = await run(command, args, { quiet: true, ...options });
  if (code !== 0) {
    const what = options.label ?? [command, ...args].join(' ');
    throw new Error(`${what} failed with exit code ${code}:\n${output.trim().split('\n').slice(-30).join('\n')}`);
  }
  return output;
}

/**
 * Runs npm with this machine's own configuration. Where npm started us its own script is run by this Node, which spares
 * the `.cmd` shim that Windows does not spawn without a shell.
 * @param {readonly string[]} args @param {RunOptions} [options]
 */
export function npm(args, options = {}) {
  const script = process.env['npm_execpath'];
  const quietly = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const label = `npm ${args.join(' ')}`;
  if (script && /npm-cli\.[cm]?js$/.test(script)) {
    return mustRun(process.execPath, [script, ...quietly], { label, ...options });
  }
  return process.platform === 'win32'
    ? mustRun('cmd.exe', ['/d', '/s', '/c', 'npm.cmd', ...quietly], { label, ...options })
    : mustRun('npm', quietly, { label, ...options });
}
