import { basename } from 'node:path';

/** A true improvement of one of the sample workspace's files, and its undoing. */
export interface Recipe {
  /** Name of the file. */
  readonly file: string;
  /** What stands there, and what shall stand there instead. */
  readonly before: string;
  readonly after: string;
  readonly summary: string;
  /** Part of the change to several files. */
  readonly several: boolean;
}

const recipes: readonly Recipe[] = [
  {
    file: 'tokenizer.ts',
    before: "  ['number', /\\d+(?:\\.\\d+)?/y],\n",
    after:
      "  // Hexadecimal first: the other pattern would take the 0 alone.\n  ['number', /0x[\\da-f]+/iy],\n  ['number', /\\d+(?:\\.\\d+)?/y],\n",
    summary: 'Numbers may be hexadecimal now: `0xff + 1` is 256.',
    several: false,
  },
  {
    file: 'tokenizer.ts',
    before: "['operator', /[-+*/^()=]/y]",
    after: "['operator', /[-+*/%^()=]/y]",
    summary: 'The tokenizer knows `%` now.',
    several: true,
  },
  {
    file: 'parser.ts',
    before: "'*': 2, '/': 2, '^': 3",
    after: "'*': 2, '/': 2, '%': 2, '^': 3",
    summary: 'The parser binds `%` as tightly as `*`.',
    several: true,
  },
  {
    file: 'evaluate.ts',
    before: "  '/': (left, right) => left / right,\n",
    after: "  '/': (left, right) => left / right,\n  '%': (left, right) => left % right,\n",
    summary: 'And it is computed: `17 % 5` is 2.',
    several: true,
  },
];

/** The recipe for a file whose text fits, either way round. */
export function recipeFor(path: string, text: string, several: boolean): Recipe | undefined {
  return recipes.find(
    (recipe) =>
      recipe.file === basename(path) &&
      recipe.several === several &&
      (text.includes(recipe.before) || text.includes(recipe.after)),
  );
}
