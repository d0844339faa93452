import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../src/base/log';
import { Checkpoints } from '../../src/host/changes/stored/checkpoints';
import { FileRestore } from '../../src/host/changes/fileRestore';
import { ReviewService } from '../../src/host/changes/reviewService';
import { systemClock } from '../../src/host/platform/clock';
import { contentsIn } from '../fakes/wholeFiles';
import { contentOfText } from '../../src/host/storage/contentInHand';

/* Restore and Redo of many files on the real disk, by everything but the editor; `vscode` has to be `diskVscode`. */

/**
 * How long each step takes, and how much of the processors, in milliseconds: on a busy machine the second says more.
 * @throws Error where a file is not what it should be
 */
export async function timeRestore(
  count: number,
): Promise<Readonly<Record<string, { readonly ms: number; readonly cpu: number }>>> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-bench-')));
  try {
    const paths = Array.from({ length: count }, (_, i) => join(top, `work/src/${Math.floor(i / 100)}/file ${i}.ts`));
    const text = (i: number, end: string) =>
      Array.from(
        { length: 30 },
        (_, line) => `const value${line} = compute(${i}, ${line})${line % 10 === 3 ? end : ';'}\n`,
      ).join('');
    for (const [i, path] of paths.entries()) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text(i, ';'));
    }
    const [sessionId, clock, log] = ['s', systemClock, silentLogger];
    const contents = contentsIn(join(top, 'store/contents'));
    const checkpoints = new Checkpoints({
      folder: join(top, 'store/checkpoints'),
      promptOf: () => 1,
      contents: contents.contents,
      clock,
      log,
    });
    const baselines = { set: () => '', add: () => '', deleteAll: () => undefined };
    const service = new ReviewService({
      scopes: () => undefined,
      baselines: baselines as never,
      clock,
      log,
      turnOf: () => 'e0',
      dialogs: { confirm: async () => true, report: () => undefined },
      storage: { checkpoints, contents },
    });
    const restore = new FileRestore(service.recorder, checkpoints, log);
    const times: Record<string, { ms: number; cpu: number }> = {};
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const [started, before] = [performance.now(), process.cpuUsage()];
      const result = await work();
      const { user, system } = process.cpuUsage(before);
      times[what] = { ms: Math.round(performance.now() - started), cpu: Math.round((user + system) / 1_000) };
      return result;
    };
    const expectTexts = (end: string) => {
      for (const [i, path] of paths.entries())
        if (readFileSync(path, 'utf8') !== text(i, end)) throw new Error(`${path} is not what it should be`);
    };

    await timed('recorded', async () => {
      for (const [i, path] of paths.entries()) {
        writeFileSync(path, text(i, '  ;'));
        service.record(sessionId, path, contentOfText(text(i, ';')), contentOfText(text(i, '  ;')));
      }
      await checkpoints.recorded(sessionId);
    });
    // What was just written is looked at again a moment later.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const planned = await timed('restore: the plan', async () =>
      restore.plan(sessionId, (await checkpoints.log(sessionId)).since(1), 1),
    );
    const problems = await timed('restore: the files', () => restore.carryOut(sessionId, planned.files, 'restore', 1));
    expectTexts(';');
    const { redoable } = await checkpoints.log(sessionId);
    const again = await timed('redo: the plan', () => restore.plan(sessionId, redoable!.files));
    problems.push(...(await timed('redo: the files', () => restore.carryOut(sessionId, again.files, 'redo'))));
    expectTexts('  ;');
    if (problems.length > 0 || (service.session(sessionId)?.ledger.count ?? 0) !== count)
      throw new Error(problems[0] ?? `${service.session(sessionId)?.ledger.count ?? 0} files are pending`);
    for (const part of [checkpoints, service]) part.dispose();
    return times;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
