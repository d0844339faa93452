import { type LineEndAttributes, onDisk } from './gitLineEnds';
import { cleanSizesOf, entriesOf } from './gitTree';
import type { PinnedGit, RunGit } from './pinnedGit';
import { ProgramError } from './runProgram';

/** The most bytes of each answer of `git cat-file`, besides the content. */
const ANSWER_BYTES = 100;

/** Git LFS stores such a pointer in the repository instead of a file's content. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** Git's knowledge of a file at the moment of the state. */
export type GitContent =
  | { readonly kind: 'blob'; readonly bytes: Buffer; readonly isExecutable?: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

/**
 * The content of clean files as on the disk: that of the commit, with git's conversions.
 * @param paths in the repository. @param maxBytes of all together; the largest beyond that stay unknown.
 * @param tell gets each known content by path, before a later command fails. @throws ProgramError
 */
export async function contentsOf(
  run: RunGit,
  commit: string,
  paths: readonly string[],
  { lineEnds, knowsModes }: Pick<PinnedGit, 'lineEnds' | 'knowsModes'>,
  maxBytes: number,
  tell: (path: string, content: GitContent) => void,
): Promise<void> {
  const [entries, attributes] = await Promise.all([entriesOf(run, commit, paths), attributesOf(run, paths)]);
  for (const path of paths) if (!entries.has(path)) tell(path, { kind: 'absent' });
  // For a link, the commit has its target, and for some files other bytes than the disk.
  const plain = paths.filter((path) => entries.get(path)?.mode.startsWith('100') && attributes.has(path));
  const blobs = await blobsOf(run, [...new Set(plain.map((path) => entries.get(path)!.oid))], maxBytes);
  const written = new Map(
    plain.flatMap((path) => {
      const content = blobs.get(entries.get(path)!.oid);
      return content?.kind === 'blob'
        ? [[path, { blob: content.bytes, bytes: onDisk(content.bytes, attributes.get(path)!, lineEnds) }] as const]
        : [];
    }),
  );
  const sizes = await cleanSizesOf(
    run,
    [...written].flatMap(([path, { blob, bytes }]) => (blob === bytes ? [] : [path])),
  );
  for (const [path, { blob, bytes }] of written) {
    // Git considers a file clean that an editor saved with the repository's line endings.
    const standing = sizes.get(path) === blob.length ? blob : bytes;
    tell(path, {
      kind: 'blob',
      bytes: standing,
      ...(knowsModes ? { isExecutable: entries.get(path)!.mode === '100755' } : {}),
    });
  }
}

/** Attributes of files that git converts on the way to the disk (gitattributes). */
const convertingAttributes = ['filter', 'working-tree-encoding', 'ident'];
const askedAttributes = ['text', 'eol', ...convertingAttributes];

/**
 * Attributes that determine the line endings of files, without files that git stores in another form, such as encrypted
 * ones. Converting programs are not run.
 */
async function attributesOf(run: RunGit, paths: readonly string[]): Promise<ReadonlyMap<string, LineEndAttributes>> {
  const told = await run(['check-attr', '-z', '--stdin', ...askedAttributes], {
    input: paths.map((path) => `${path}\0`).join(''),
  });
  const fields = told.toString('utf8').split('\0');
  if (fields.length !== paths.length * askedAttributes.length * 3 + 1)
    throw new Error('git check-attr did not tell of all files');
  return new Map(
    paths.flatMap((path, i) => {
      const [text, eol, ...converting] = askedAttributes.map(
        (_, j) => fields[(i * askedAttributes.length + j) * 3 + 2]!,
      );
      return converting.every((value) => ['unspecified', 'unset'].includes(value))
        ? [[path, { text: text!, eol: eol! }] as const]
        : [];
    }),
  );
}

/**
 * The content of objects, by their names. If it is too much, the largest ones are left out, so that the small ones are
 * known.
 */
async function blobsOf(
  run: RunGit,
  oids: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, GitContent>> {
  const batch = async (some: readonly string[]) =>
    some.length === 0
      ? []
      : parseBatch(await run(['cat-file', '--batch'], { input: lines(some), maxBytes }), some.length);
  let asked = oids;
  const answers = await batch(asked).catch(async (error: unknown) => {
    if (!(error instanceof ProgramError && error.reason === 'tooMuchOutput')) throw error;
    return batch((asked = await smallest(run, oids, maxBytes)));
  });
  return new Map(answers.map((answer, i) => [asked[i]!, answer]));
}

/** The smallest objects, as many as fit into the answer. */
async function smallest(run: RunGit, oids: readonly string[], maxBytes: number): Promise<string[]> {
  const sizes = parseSizes(await run(['cat-file', '--batch-check'], { input: lines(oids) }));
  const sized = oids.map((oid, i) => ({ oid, size: (sizes[i] ?? 0) + ANSWER_BYTES }));
  let total = 0;
  return sized.sort((a, b) => a.size - b.size).flatMap(({ oid, size }) => ((total += size) <= maxBytes ? [oid] : []));
}

function lines(items: readonly string[]): string {
  return items.map((item) => `${item}\n`).join('');
}

/** Reads `git cat-file --batch-check`: the size of each object in bytes, undefined if it is missing. */
function parseSizes(output: Buffer): (number | undefined)[] {
  return output
    .toString('utf8')
    .split('\n')
    .map((line) => {
      const [, length] = /^[0-9a-f]{40,} \w+ (\d+)$/.exec(line) ?? [];
      return length === undefined ? undefined : Number(length);
    });
}

/** Reads the output of `git cat-file --batch` for `count` questions. */
export function parseBatch(output: Buffer, count: number): GitContent[] {
  const result: GitContent[] = [];
  let at = 0;
  while (result.length < count) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const line = output.toString('utf8', at, end);
    at = end + 1;
    const [, type, length] = /^[0-9a-f]{40,} (\w+) (\d+)$/.exec(line) ?? [];
    if (length === undefined) {
      // A missing object was promised by a server, or is lost: the file existed.
      result.push({ kind: 'unknown' });
      continue;
    }
    const bytes = Buffer.from(output.subarray(at, at + Number(length)));
    at += Number(length) + 1;
    result.push(
      type === 'blob' && !bytes.toString('latin1', 0, LFS_POINTER.length).startsWith(LFS_POINTER)
        ? { kind: 'blob', bytes }
        : { kind: 'unknown' },
    );
  }
  return result;
}
