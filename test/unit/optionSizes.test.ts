import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const most = 7;
/** What a class or a function is made with, by the names that such objects have. */
const isMadeWith = /(?:Options|Services|Owner|Stage|Request|^Basis)$/;

/** Still larger: each is divided with its room, and leaves this list then. */
const larger = [
  'src/host/changes/disk/diskChanges.ts DiskChangesOptions',
  'src/host/changes/disk/diskWatch.ts DiskWatchOptions',
  'src/host/changes/disk/turnFollower.ts TurnFollowerOptions',
  'src/host/changes/reviewStore.ts ReviewStoreOptions',
];

interface Declared {
  readonly file: string;
  readonly name: string;
  /** As written: `A, Pick<B, 'x' | 'y'>`. */
  readonly parents: string;
  readonly own: readonly string[];
}

/** The formatter puts each member of an interface on a line of its own, and the end of it at the margin. */
const declaration = /^(?:export )?interface (\w+)(?:<[^{]*>)?(?:\s+extends\s+([^{]+))? \{\n([\s\S]*?)^\}/gm;
const declared = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name): Declared[] => {
    const file = `src/${name.replaceAll(path.sep, '/')}`;
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(declaration)].map(([, interfaceName, parents = '', body]) => ({
      file,
      name: interfaceName!,
      parents,
      own: [...body!.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member]) => member!),
    }));
  });

/** All members of an interface, the inherited ones too. */
function membersOf({ file, own, parents }: Declared): ReadonlySet<string> {
  const inherited = [...parents.matchAll(/(?:(Pick|Omit)<)?(\w+)(?:,((?:\s*\|?\s*'\w+')+)\s*>)?/g)].flatMap(
    ([, how, name, keys = '']) => {
      const parent =
        declared.find((other) => other.name === name && other.file === file) ??
        declared.find((other) => other.name === name);
      const named = new Set([...keys.matchAll(/'(\w+)'/g)].map(([, key]) => key!));
      const all = parent ? [...membersOf(parent)] : [];
      return how === undefined ? all : all.filter((member) => named.has(member) === (how === 'Pick'));
    },
  );
  return new Set([...inherited, ...own]);
}

it(`nothing is made with an object of more than ${most} members`, () => {
  const all = declared.filter(({ name }) => isMadeWith.test(name));
  expect(all.length).toBeGreaterThan(60);
  expect(
    all
      .filter((each) => membersOf(each).size > most)
      .map(({ file, name }) => `${file} ${name}`)
      .sort(),
  ).toEqual(larger);
});
