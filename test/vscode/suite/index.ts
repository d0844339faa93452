import Mocha from 'mocha';
import { suiteFiles } from 'suite-files';

/** A line that the launcher reads from the console of the extension host, whichever VS Code that is. */
function report(line: Record<string, unknown>): void {
  console.log(`PARLEY-TEST ${JSON.stringify(line)}`);
}

/**
 * The one entry of the tests that run inside VS Code's extension host. Both launchers call it: @vscode/test-electron with
 * the desktop product, and the VS Code from npm. It rejects when a test has failed.
 */
export async function run(): Promise<void> {
  const grep = process.env['PARLEY_TEST_GREP'];
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, retries: 1, ...(grep ? { grep } : {}) });
  for (const [name, load] of suiteFiles) {
    mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, name, mocha);
    await load();
  }
  const firstErrors = new Map<string, string>();
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('retry', (test, error) => firstErrors.set(test.fullTitle(), error.stack ?? String(error)));
    runner.on('pass', (test) => report({ state: 'passed', title: test.fullTitle(), name: test.title, ms: test.duration, firstError: firstErrors.get(test.fullTitle()) }));
    runner.on('pending', (test) => report({ state: 'skipped', title: test.fullTitle(), name: test.title }));
    runner.on('fail', (test, error) => report({ state: 'failed', title: test.fullTitle(), name: test.title, error: error.stack ?? String(error) }));
  });
  report({ state: 'end', failures });
  if (failures > 0) {
    throw new Error(`${failures} of the tests inside VS Code failed.`);
  }
}
