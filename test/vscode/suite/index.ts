import Mocha from 'mocha';
import { suiteFiles } from 'suite-files';

/** A line that the launcher reads from the console of the extension host, whichever VS Code that is. */
function report(line: Record<string, unknown>): void {
  console.log(`PARLEY-TEST ${JSON.stringify(line)}`);
}

/**
 * The one entry of the tests that run inside VS Code's extension host. Both launchers call it: @vscode/test-electron
 * with the desktop product, and the VS Code from npm. It rejects when a test has failed.
 */
export async function run(): Promise<void> {
  const grep = process.env['PARLEY_TEST_GREP'];
  const mocha = new Mocha({ ui: 'bdd', timeout: 300_000, ...(grep ? { grep } : {}) });
  // Of several windows that share the suite, each takes its part of the files: "1/2" is the first of two.
  const [part = 1, parts = 1] = (process.env['PARLEY_TEST_PART'] ?? '1/1').split('/').map(Number);
  for (const [name, load] of suiteFiles.filter((_, i) => i % parts === part - 1)) {
    mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, name, mocha);
    await load();
  }
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) =>
      report({ state: 'passed', title: test.fullTitle(), name: test.title, ms: test.duration }),
    );
    runner.on('pending', (test) => report({ state: 'skipped', title: test.fullTitle(), name: test.title }));
    runner.on('fail', (test, error) =>
      report({ state: 'failed', title: test.fullTitle(), name: test.title, error: error.stack ?? String(error) }),
    );
  });
  report({ state: 'end', failures });
  if (failures > 0) {
    throw new Error(`${failures} of the tests inside VS Code failed.`);
  }
}
