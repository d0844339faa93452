import { parse } from 'unbash';
import type {
  AndOr,
  Assignment,
  Command,
  CommandNode,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  Word,
  WordPart,
} from 'unbash';
import { hasDots, joinFolder, normalized } from './paths';
import type { ParsedCommand, ShellCommand, ShellRedirect, ShellWord } from './shellCommand';

/** Folders that are followed at once; no rule allows a line that may run in more of them. */
const maxFolders = 8;

type Folders = readonly string[];
interface Expansion {
  readonly type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion';
  readonly script?: ParsedScript;
}

/** A part of the text cannot be read, so the whole line counts as unreadable. */
class Unreadable extends Error {}

/**
 * Parses a command line of a POSIX shell.
 * @returns undefined if the text is not such a command line.
 */
export function parseBash(text: string): ParsedCommand | undefined {
  try {
    const walk = new Walk();
    walk.script(parse(text), text, ['']);
    return { commands: walk.commands, complete: walk.complete };
  } catch {
    return undefined;
  }
}

/** Collects every command at any depth, and follows `cd` as far as possible. */
class Walk {
  readonly commands: ShellCommand[] = [];
  complete = true;
  #source = '';

  script(script: ParsedScript | undefined, source: string, folders: Folders): void {
    if (!script || (script.errors?.length ?? 0) > 0) throw new Unreadable();
    const outer = this.#source;
    this.#source = script.source ?? source;
    this.#visit(script.commands, folders);
    this.#source = outer;
  }

  /** @returns the folders in which the next command may run. Each earlier one may have run or not. */
  #visit(node: unknown, folders: Folders): Folders {
    if (typeof node !== 'object' || node === null) return folders;
    if (Array.isArray(node))
      return node.reduce((before: Folders, item) => this.#either(before, this.#visit(item, before)), folders);
    const known = node as AndOr | CommandNode | PipelineNode | Statement | Expansion;
    switch (known.type) {
      case 'Statement': {
        const after = this.#visit(known.command, folders);
        return known.background ? folders : after;
      }
      case 'AndOr':
        return this.#andOr(known, folders);
      case 'Pipeline':
        if (known.commands.length === 1) return this.#visit(known.commands[0], folders);
        // Each runs in a subshell, so its `cd` has no effect outside; but zsh runs the last one itself.
        return this.#either(folders, known.commands.map((command) => this.#visit(command, folders)).at(-1)!);
      case 'Command':
        return this.#simple(known, folders);
      case 'Redirected': {
        const after = this.#visit(known.command, folders);
        const redirects = this.#redirects(known.redirects, folders);
        const text = known.redirects.map(({ pos, end }) => this.#source.slice(pos, end)).join(' ');
        if (redirects.length > 0) this.commands.push({ text, words: [], assignments: [], redirects, folders });
        return after;
      }
      case 'Subshell':
        this.#visit(known.body, folders);
        return folders;
      case 'Case':
        this.#visit([known.word, ...known.items.map(({ pattern }) => pattern)], folders);
        return this.#visit(
          known.items.map(({ body }) => body),
          folders,
        );
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        this.script(known.script, this.#source, folders);
        return folders;
      default:
        if ((known.type === 'Function' || known.type === 'Coproc') && known.body.type === 'CompoundList')
          throw new Unreadable();
        return this.#visit(
          branches.map((key) => (known as unknown as Readonly<Record<string, unknown>>)[key]),
          folders,
        );
    }
  }

  #andOr({ commands, operators }: AndOr, folders: Folders): Folders {
    let after = folders;
    for (const [index, command] of commands.entries()) {
      const isElse = operators[index - 1] === '||';
      const next = this.#visit(command, isElse ? this.#either(folders, after) : after);
      after = isElse ? this.#either(after, next) : next;
    }
    return after;
  }

  #simple(node: Command, folders: Folders): Folders {
    const assignments = node.prefix.filter((item): item is Assignment => item.type === 'Assignment');
    const words = [...(node.name ? [node.name] : []), ...node.args].map((word) => this.#word(word));
    const command: ShellCommand = {
      text: this.#source.slice(node.pos, node.end),
      words,
      assignments: assignments.map(({ text }) => text),
      redirects: [],
      folders,
      ...this.#given(node.redirects),
    };
    const index = this.commands.push(command) - 1;
    for (const part of [...assignments, ...(node.name ? [node.name] : []), ...node.args]) this.#visit(part, folders);
    this.commands[index] = { ...command, redirects: this.#redirects(node.redirects, folders) };
    return this.#afterCommand(words, folders);
  }

  #given(redirects: readonly Redirection[]): Pick<ShellCommand, 'isGivenText' | 'given'> {
    const last = redirects.findLast(({ type }) => type !== 'Redirect');
    if (!last) return {};
    const given =
      last.type === 'HereDoc'
        ? { text: last.body?.text ?? '', known: isKnown(last.body?.parts) }
        : last.target && this.#word(last.target);
    return { isGivenText: true, ...(given ? { given } : {}) };
  }

  #afterCommand([program, ...args]: readonly ShellWord[], folders: Folders): Folders {
    if (program && /^(pushd|popd|chdir)$/.test(program.text)) this.complete = false;
    if (program?.text !== 'cd') return folders;
    const [target, ...others] = args[0]?.text === '--' ? args.slice(1) : args;
    // Options, a position on the directory stack, and zsh's two words, of which one replaces the other.
    if (!target?.known || others.length > 0 || /^[-+]|[*?[]/.test(target.text)) {
      this.complete = false;
      return folders;
    }
    // A shell resolves `..` in the text, and if that folder does not exist, on the disk: it may be either one.
    const joined = folders.map((folder) => joinFolder(folder, target.text));
    return this.#either(
      joined.map((folder) => (folder.startsWith('~') || !hasDots(folder) ? folder : normalized(folder))),
      joined,
    );
  }

  #word(word: Word | Assignment): ShellWord {
    if (word.type === 'Assignment')
      return { text: word.text, known: word.value.type === 'Word' && isKnown(word.value.parts) };
    return {
      text: word.value,
      known: isKnown(word.parts) && !hiddenVariable.test(word.text),
      ...(isGlob(word) || word.parts?.some(({ type }) => type === 'BraceExpansion') ? { isPattern: true } : {}),
    };
  }

  #redirects(redirects: readonly Redirection[], folders: Folders): ShellRedirect[] {
    const files: ShellRedirect[] = [];
    for (const redirect of redirects) {
      this.#visit(redirect, folders);
      if (redirect.type !== 'Redirect' || !redirect.target) continue;
      const target = this.#word(redirect.target);
      // `>&2` and `<&-` name descriptors.
      if (redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) continue;
      files.push({
        mode:
          redirect.operator.startsWith('<') && redirect.operator !== '<>'
            ? 'read'
            : redirect.operator.endsWith('>>')
              ? 'append'
              : 'write',
        target,
      });
    }
    return files;
  }

  #either(a: Folders, b: Folders): Folders {
    const all = [...new Set([...a, ...b])];
    if (all.length <= maxFolders) return all;
    this.complete = false;
    return all.slice(0, maxFolders);
  }
}

/** The child nodes of a parser node, in the order of the text. */
const branches = [
  'clause',
  'then',
  'elif',
  'else',
  'initialize',
  'test',
  'update',
  'wordlist',
  'commands',
  'parts',
  'value',
  'elements',
  'index',
  'operation',
  'operand',
  'operands',
  'pattern',
  'replacement',
  'offset',
  'length',
  'expression',
  'left',
  'right',
  'consequent',
  'alternate',
  'target',
  'body',
];

/** A variable whose name is on the next line. The parser mistakes it for text. */
const hiddenVariable = /\$\\\n/;

const unknownParts: ReadonlySet<WordPart['type']> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ArithmeticExpansion',
  'ProcessSubstitution',
  'BraceExpansion',
]);

function isKnown(parts: readonly WordPart[] | undefined): boolean {
  return (parts ?? []).every((part) => !unknownParts.has(part.type) && (!('parts' in part) || isKnown(part.parts)));
}

/** A file name pattern outside of quotes, or zsh's form for the path of a program (`=ls`). */
function isGlob({ text }: Word | Assignment): boolean {
  const bare = text.replaceAll(/\\.|\$?'[^']*'|"(?:\\.|[^"\\])*"/gs, 'x');
  const open = bare.indexOf('[');
  return /[*?]|[@!+]\(|^=[^=~\s]/.test(bare) || (open >= 0 && bare.lastIndexOf(']') > open + 1);
}
