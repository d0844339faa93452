import { execFileSync } from 'node:child_process';
import {
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { lstat, mkdir, open, readlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  inFolder,
  keepingFoldersOpen,
  LinkedPathError,
  type OpenOptions,
  openWithoutLinks,
  type PathCalls,
} from '../../../src/node/openWithoutLinks';

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;
const system: PathCalls = {
  open,
  lstat: (file) => lstat(file, { bigint: true }),
  mkdir: (folder) => mkdir(folder),
  readlink: (file) => readlink(file),
};

/** `work/sub/deep/a.txt`, and the same names in `outside`. Returns the real path of all. */
function folders(): string {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-links-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const [root, text] of [
    ['work/sub/deep', 'inside'],
    ['outside/sub/deep', 'secret'],
  ] as const) {
    mkdirSync(path.join(base, root), { recursive: true });
    writeFileSync(path.join(base, root, 'a.txt'), text);
  }
  return base;
}

/**
 * Takes `part` of `work` away and puts a link to the same part of `outside` in its place; the result is the way back.
 */
function exchange(base: string, part: string): () => void {
  const at = path.join(base, 'work', part);
  renameSync(at, `${at}.gone`);
  symlinkSync(path.join(base, 'outside', part), at);
  return () => {
    unlinkSync(at);
    renameSync(`${at}.gone`, at);
  };
}

/** Counts the calls, and does something before some of them. */
function counted(before: (call: number) => void): PathCalls & { readonly count: () => number } {
  let calls = 0;
  const step =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      before(calls++);
      return call(...args);
    };
  return {
    open: step(system.open),
    lstat: step(system.lstat),
    mkdir: step(system.mkdir),
    readlink: step(system.readlink),
    count: () => calls,
  };
}

const ways = process.platform === 'linux' ? (['descriptors', 'compare'] as const) : (['compare'] as const);

describe.each(ways)('%s', (way) => {
  const file = (base: string) => path.join(base, 'work/sub/deep/a.txt');

  async function read(base: string, options: OpenOptions): Promise<string> {
    const handle = await openWithoutLinks(file(base), O_RDONLY, { way, ...options });
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }

  async function write(base: string, options: OpenOptions): Promise<void> {
    const handle = await openWithoutLinks(file(base), O_RDWR, { way, ...options });
    try {
      await handle.truncate(0);
      await handle.write('agent');
    } finally {
      await handle.close();
    }
  }

  test('without an exchange the file is opened, written and created with its folders', async () => {
    const base = folders();
    expect(await read(base, {})).toBe('inside');
    await write(base, {});
    expect(readFileSync(file(base), 'utf8')).toBe('agent');
    const fresh = path.join(base, 'work/new/folders/b.txt');
    await expect(openWithoutLinks(fresh, O_RDWR | O_CREAT | O_EXCL, { way })).rejects.toMatchObject({ code: 'ENOENT' });
    await (await openWithoutLinks(fresh, O_RDWR | O_CREAT | O_EXCL, { way, makeFolders: true })).close();
    await expect(openWithoutLinks(fresh, O_RDWR | O_CREAT | O_EXCL, { way })).rejects.toMatchObject({
      code: 'EEXIST',
      message: expect.stringContaining(fresh) as string,
    });
  });

  test('a link anywhere in the path is refused, and says where it is', async () => {
    for (const part of ['sub', 'sub/deep', 'sub/deep/a.txt']) {
      const base = folders();
      exchange(base, part);
      const error = await read(base, {}).catch((refused: unknown) => refused);
      expect(error, part).toBeInstanceOf(LinkedPathError);
      expect((error as LinkedPathError).path).toBe(path.join(base, 'work', part));
    }
  });

  test.each([
    ['with each file', (work: () => Promise<void>) => work()],
    ['once for many files', (work: () => Promise<void>) => keepingFoldersOpen(work)],
  ])(
    'whenever a part is exchanged, and whenever it is put back, nothing outside is read or written, where folders are opened %s',
    (_how, around) =>
      around(async () => {
        const counter = counted(() => undefined);
        await read(folders(), { calls: counter });
        const steps = counter.count();
        expect(steps).toBeGreaterThan(2);
        const base = folders();
        let refused = 0;
        for (const part of ['sub', 'sub/deep', 'sub/deep/a.txt']) {
          // Refused the short way, the long one is gone; it has more steps.
          for (let from = 0; from <= steps; from++) {
            for (const to of [from + 1, from + 2, from + 3, from + 6, Number.POSITIVE_INFINITY]) {
              for (const act of [read, write]) {
                writeFileSync(file(base), 'inside');
                let back = (): void => undefined;
                const calls = counted((call) => {
                  if (call === from) back = exchange(base, part);
                  if (call !== to) return;
                  back();
                  back = () => undefined;
                });
                const result = await act(base, { calls }).catch((error: unknown) => {
                  refused++;
                  return error;
                });
                back();
                const where = `${act.name} ${part} ${from} ${to}`;
                if (typeof result === 'string') expect(result, where).toBe('inside');
                expect(readFileSync(path.join(base, 'outside/sub/deep/a.txt'), 'utf8'), where).toBe('secret');
              }
            }
          }
        }
        expect(refused).toBeGreaterThan(0);
      }),
  );

  test.runIf(process.platform !== 'win32')('a folder, a pipe and a device are not opened', async () => {
    const base = folders();
    const pipe = path.join(base, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(openWithoutLinks(pipe, O_RDONLY, { way })).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(openWithoutLinks('/dev/null', O_RDONLY, { way })).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(openWithoutLinks(path.join(base, 'work'), O_RDONLY, { way })).rejects.toMatchObject({
      code: 'EISDIR',
    });
    await expect(openWithoutLinks(path.join(base, 'work/sub/deep/a.txt/b'), O_RDONLY, { way })).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
  });

  test('an entry is removed in its folder, and a link in the way is told of', async () => {
    const base = folders();
    const deep = path.join(base, 'work/sub/deep');
    await inFolder(deep, (at) => unlink(at('a.txt')), { way });
    expect(existsSync(path.join(deep, 'a.txt'))).toBe(false);
    exchange(base, 'sub');
    await expect(inFolder(deep, (at) => unlink(at('a.txt')), { way })).rejects.toThrow(
      `${path.join(base, 'work/sub')} is a link`,
    );
    expect(readFileSync(path.join(base, 'outside/sub/deep/a.txt'), 'utf8')).toBe('secret');
  });
});

test.runIf(process.platform === 'linux')(
  'a folder is opened once for many files, followed by its path alone, and closed in the end',
  async () => {
    const base = folders();
    const deep = path.join(base, 'work/sub/deep');
    const opened: string[] = [];
    const calls: PathCalls = {
      ...system,
      open: (file, flags, mode) => (opened.push(file), system.open(file, flags, mode)),
    };
    const text = async () => {
      const file = await openWithoutLinks(path.join(deep, 'a.txt'), O_RDONLY, { calls });
      return file.readFile('utf8').finally(() => file.close());
    };
    await keepingFoldersOpen(async () => {
      expect(await Promise.all([text(), text()])).toEqual(['inside', 'inside']);
      expect(await text()).toBe('inside');
      expect(opened.filter((file) => file === deep).length).toBeLessThanOrEqual(2);
      const before = opened.length;
      expect(await text()).toBe('inside');
      expect(opened.slice(before)).toHaveLength(1);
      // Another folder has the path now.
      renameSync(deep, `${deep}.gone`);
      mkdirSync(deep);
      writeFileSync(path.join(deep, 'a.txt'), 'new');
      expect(await text()).toBe('new');
      rmSync(deep, { recursive: true });
      await expect(text()).rejects.toMatchObject({ code: 'ENOENT' });
    });
    const targets = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    expect(targets.filter((target) => target.startsWith(base))).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')(
  'by descriptors, nothing is created or removed outside, whenever a part is exchanged',
  async () => {
    const counter = counted(() => undefined);
    const fresh = (base: string, calls: PathCalls) =>
      openWithoutLinks(path.join(base, 'work/sub/made/new.txt'), O_RDWR | O_CREAT | O_EXCL, {
        calls,
        makeFolders: true,
      });
    await (await fresh(folders(), counter)).close();
    for (let step = 0; step <= counter.count(); step++) {
      const base = folders();
      const calls = counted((call) => void (call === step && exchange(base, 'sub')));
      await fresh(base, calls).then(
        (handle) => handle.close(),
        () => undefined,
      );
      expect(existsSync(path.join(base, 'outside/sub/made')), `step ${step}`).toBe(false);
    }
  },
);
