import { basename, extname } from 'node:path';

/** An improvement of one of the sample workspace's files, and the reverse. */
interface Recipe {
  /** Name of the file. */
  readonly file: string;
  /** The text to replace, and its replacement. */
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
      '  // Hexadecimal first: the other pattern would take the 0 alone.\n' +
      "  ['number', /0x[\\da-f]+/iy],\n  ['number', /\\d+(?:\\.\\d+)?/y],\n",
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
function recipeFor(path: string, text: string, several: boolean): Recipe | undefined {
  return recipes.find(
    (recipe) =>
      recipe.file === basename(path) &&
      recipe.several === several &&
      (text.includes(recipe.before) || text.includes(recipe.after)),
  );
}

/** The demo's change of a file, and its words for it. */
export interface Improvement {
  readonly newText: string;
  readonly summary: string;
}

const remark = 'Parley was here: this line came from the demo agent.';

/**
 * A small change that breaks nothing: an improvement of the sample workspace, or a comment at the top of any other
 * file. If the file has it already, it is removed. Line endings stay.
 */
export function improve(path: string, text: string, several = false): Improvement {
  if (text === '') return { newText: newFile, summary: 'A new file, with three lines that you can delete.' };
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return improveSample(path, text, eol, several) ?? remarkOn(path, text.split(eol), eol);
}

function improveSample(path: string, text: string, eol: string, several: boolean): Improvement | undefined {
  const plain = text.replaceAll(eol, '\n');
  const recipe = recipeFor(path, plain, several);
  if (!recipe) return undefined;
  const { before, after, summary } = recipe;
  // The new text may contain the old one, so it is looked for first.
  const undo = plain.includes(after);
  const newText = (undo ? plain.replace(after, () => before) : plain.replace(before, () => after)).replaceAll(
    '\n',
    eol,
  );
  return { newText, summary: undo ? 'I removed my earlier change.' : summary };
}

function remarkOn(path: string, lines: readonly string[], eol: string): Improvement {
  const comment = asComment(path, remark);
  const at = lines.indexOf(comment);
  if (at >= 0) {
    return { newText: lines.toSpliced(at, 1).join(eol), summary: 'I removed the comment that I added before.' };
  }
  return {
    newText: lines.toSpliced(preambleLength(lines), 0, comment).join(eol),
    summary: 'I added one comment line, and nothing else.',
  };
}

const newFile = ['# Hello from Parley', '', 'The demo agent wrote this file. Undo it, or delete it.', ''].join('\n');

function asComment(path: string, text: string): string {
  switch (extname(path).toLowerCase()) {
    case '.py':
    case '.rb':
    case '.sh':
    case '.yaml':
    case '.yml':
    case '.toml':
      return `# ${text}`;
    case '.md':
    case '.html':
      return `<!-- ${text} -->`;
    case '.css':
    case '.scss':
      return `/* ${text} */`;
    default:
      return `// ${text}`;
  }
}

/** Lines that must stay first: a shebang, an encoding, a doctype, or a block of front matter. */
function preambleLength(lines: readonly string[]): number {
  const first = lines[0] ?? '';
  if (first === '---') return lines.indexOf('---', 1) + 1;
  return /^(#!|<!doctype|<\?|# -\*-)/i.test(first) ? 1 : 0;
}
