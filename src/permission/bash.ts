import { parse } from 'unbash';
import type { Assignment, Command, CommandNode, ParsedScript, PipelineNode, Redirection, Statement, Word, WordPart } from 'unbash';
import { hasDots, joinFolder, normalized } from './paths';
import { hidesVariable, isReadOtherwise } from './readOtherwise';
import type { ParsedCommand, ShellCommand, ShellRedirect, ShellWord } from './shellCommand';

/** Folders that are followed at once; a line that may be in more of them is not understood. */
const maxFolders = 8;

type Folders = readonly string[];

/** Something in the text cannot be read, so that nothing of it is believed. */
class Unreadable extends Error {}

/**
 * Takes a command line of a POSIX shell apart.
 * @returns undefined where the text is no such command line.
 */
export function parseBash(text: string): ParsedCommand | undefined {
  try {
    const walk = new Walk();
    walk.script(parse(text), text, ['']);
    return { commands: walk.commands, complete: walk.complete && !isReadOtherwise(text) };
  } catch {
    return undefined;
  }
}

/** Collects every command, wherever it stands, and follows `cd` as far as that can be known. */
class Walk {
  readonly commands: ShellCommand[] = [];
  complete = true;
  private source = '';

  script(script: ParsedScript | undefined, source: string, folders: Folders): Folders {
    if (!script || (script.errors?.length ?? 0) > 0) throw new Unreadable();
    const outer = this.source;
    this.source = script.source ?? source;
    const after = this.statements(script.commands, folders);
    this.source = outer;
    return after;
  }

  /** One after another, whether or not the one before succeeded. */
  private statements(statements: readonly Statement[], before: Folders): Folders {
    let folders = before;
    for (const { command, background } of statements) {
      const after = this.node(command, folders);
      folders = background ? folders : this.either(folders, after);
    }
    return folders;
  }

  private node(node: PipelineNode | Statement['command'], folders: Folders): Folders {
    switch (node.type) {
      case 'AndOr': {
        let after = folders;
        for (const [index, command] of node.commands.entries()) {
          const isElse = node.operators[index - 1] === '||';
          const next = this.node(command, isElse ? this.either(folders, after) : after);
          after = isElse ? this.either(after, next) : next;
        }
        return after;
      }
      case 'Pipeline':
        if (node.commands.length === 1) return this.node(node.commands[0]!, folders);
        // Each runs in a shell of its own, so a `cd` in it does not last; but zsh runs the last one itself.
        return this.either(folders, node.commands.map((command) => this.node(command, folders)).at(-1)!);
      default:
        return this.command(node, folders);
    }
  }

  private command(node: CommandNode, folders: Folders): Folders {
    switch (node.type) {
      case 'Command':
        return this.simple(node, folders);
      case 'Redirected': {
        const after = this.command(node.command, folders);
        const redirects = this.redirects(node.redirects, folders);
        const text = node.redirects.map(({ pos, end }) => this.source.slice(pos, end)).join(' ');
        if (redirects.length > 0) this.commands.push({ text, words: [], assignments: [], redirects, folders });
        if (node.redirects.some(endsElsewhere)) this.complete = false;
        return after;
      }
      case 'Subshell':
        this.statements(node.body.commands, folders);
        return folders;
      case 'BraceGroup':
        return this.statements(node.body.commands, folders);
      case 'If': {
        const tested = this.statements(node.clause.commands, folders);
        const branches = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), ...(node.else ? [node.else] : [])];
        return branches.reduce((after, { commands }) => this.either(after, this.statements(commands, after)), this.either(folders, tested));
      }
      case 'While':
        return this.again([...node.clause.commands, ...node.body.commands], folders);
      case 'For':
      case 'Select':
        // Its variable may be one that decides what runs: PATH, IFS, or zsh's path.
        this.complete = false;
        for (const word of node.wordlist ?? []) this.nested(word, folders);
        return this.again(node.body.commands, folders);
      case 'ArithmeticFor':
        this.complete = false;
        for (const part of [node.initialize, node.test, node.update]) this.nested(part, folders);
        return this.again(node.body.commands, folders);
      case 'Case': {
        for (const word of [node.word, ...node.items.flatMap(({ pattern }) => pattern)]) this.nested(word, folders);
        return this.again(node.items.flatMap(({ body }) => body.commands), folders);
      }
      case 'Function':
      case 'Coproc':
        // A function may stand in for any program that is named later.
        this.complete = false;
        if (node.body.type === 'CompoundList') throw new Unreadable();
        return this.command(node.body, folders);
      case 'TestCommand':
      case 'ArithmeticCommand':
        // Arithmetic runs the substitutions that it finds in the values of words, also in quoted ones.
        if (node.type === 'ArithmeticCommand' || /[$`[]|\s-(eq|ne|lt|le|gt|ge|v|R)\s/.test(this.source.slice(node.pos, node.end).replace(/^\[\[/, ''))) this.complete = false;
        this.nested(node.expression, folders);
        return folders;
    }
  }

  /** What may run several times, or fall through: a folder that it changes is not known any more. */
  private again(statements: readonly Statement[], folders: Folders): Folders {
    const after = this.statements(statements, folders);
    if (after.length !== folders.length || after.some((folder) => !folders.includes(folder))) this.complete = false;
    return this.either(folders, after);
  }

  private simple(node: Command, folders: Folders): Folders {
    const assignments = node.prefix.filter((item): item is Assignment => item.type === 'Assignment');
    const words = [...(node.name ? [node.name] : []), ...node.args].map((word) => this.word(word));
    const command: ShellCommand = {
      text: this.source.slice(node.pos, node.end),
      words,
      assignments: assignments.map(({ text }) => text),
      redirects: [],
      folders,
      ...(node.redirects.some(({ type }) => type !== 'Redirect') ? { isGivenText: true } : {}),
    };
    const index = this.commands.push(command) - 1;
    // An index is computed, and what is computed may run what a value holds.
    if (assignments.some(({ index, text }) => (index && !/^\d+$/.test(index.text)) || /\[[^\]]*[$`]/.test(text))) this.complete = false;
    for (const part of [...assignments, ...(node.name ? [node.name] : []), ...node.args]) this.nested(part, folders);
    this.commands[index] = { ...command, redirects: this.redirects(node.redirects, folders) };
    // Which files a pattern stands for is only known when it runs (and zsh runs code in it, and what stands in braces).
    if ([...(node.name ? [node.name] : []), ...node.args].some((word) => isGlob(word)) || /^[-{]/.test(words[0]?.text ?? '') || words.some(({ known }) => !known) || assignments.some(({ value }) => value.type === 'Word' && !isKnown(value.parts))) this.complete = false;
    const end = node.redirects.find(endsElsewhere)?.pos;
    if (end !== undefined && (words[0]?.text === 'cd' || [node.name, ...node.args].some((word) => word && word.pos > end))) this.complete = false;
    return this.afterCommand(words, folders);
  }

  private afterCommand([program, ...args]: readonly ShellWord[], folders: Folders): Folders {
    if (program && /^(pushd|popd|chdir)$/.test(program.text)) this.complete = false;
    if (program?.text !== 'cd') return folders;
    const [target, ...others] = args[0]?.text === '--' ? args.slice(1) : args;
    // Options, a place on the stack, and zsh's two words, of which one takes the place of the other.
    if (!target?.known || others.length > 0 || /^[-+]|[*?[]/.test(target.text)) {
      this.complete = false;
      return folders;
    }
    // A shell takes `..` off the text, and where that leads nowhere off the disk: it may be in either folder.
    const joined = folders.map((folder) => joinFolder(folder, target.text));
    return this.either(joined.map((folder) => (folder.startsWith('~') || !hasDots(folder) ? folder : normalized(folder))), joined);
  }

  private word(word: Word | Assignment): ShellWord {
    if (word.type === 'Assignment') return { text: word.text, known: word.value.type === 'Word' && isKnown(word.value.parts) };
    return { text: word.value, known: isKnown(word.parts) && !hidesVariable(word.text), ...(isGlob(word) || word.parts?.some(({ type }) => type === 'BraceExpansion') ? { isPattern: true } : {}) };
  }

  private redirects(redirects: readonly Redirection[], folders: Folders): ShellRedirect[] {
    const files: ShellRedirect[] = [];
    for (const redirect of redirects) {
      this.nested(redirect, folders);
      if (redirect.descriptor?.type === 'FileDescriptorVariable') this.complete = false;
      // Where any other word ends, and with it the text, shells do not agree on.
      if (redirect.type === 'HereDoc' && !(redirect.closing && redirect.delimiter && /^(\\?[\w.-]+|(['"])[\w.-]+\2)$/.test(redirect.delimiter.text))) this.complete = false;
      if (redirect.type !== 'Redirect' || !redirect.target) continue;
      const target = this.word(redirect.target);
      // `>&2` and `<&-` name descriptors.
      if (redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) continue;
      if (!target.known || isGlob(redirect.target)) this.complete = false;
      files.push({ mode: redirect.operator.startsWith('<') && redirect.operator !== '<>' ? 'read' : redirect.operator.endsWith('>>') ? 'append' : 'write', target });
    }
    return files;
  }

  /** Commands in substitutions, anywhere below a node. */
  private nested(node: unknown, folders: Folders): void {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const item of node) this.nested(item, folders);
      return;
    }
    const { type, script, index, operation, prefix } = node as { readonly type?: string; readonly script?: ParsedScript; readonly index?: unknown; readonly operation?: { readonly type: string }; readonly prefix?: unknown };
    // What is computed may run what a value holds, also in the text of a here-document.
    if (type === 'ArithmeticExpansion' || (type === 'ParameterExpansion' && (index !== undefined || prefix === '!' || /^(Slice|Transform|Unknown)$/.test(operation?.type ?? '')))) this.complete = false;
    // To the system's own shell the dollar is a dollar, and a backslash in these quotes nothing special.
    if (type === 'AnsiCQuoted' || type === 'LocaleString') this.complete = false;
    if (type === 'CommandExpansion' || type === 'ProcessSubstitution' || type === 'ArithmeticCommandExpansion') {
      this.script(script, this.source, folders);
      return;
    }
    for (const key of branches) this.nested((node as Readonly<Record<string, unknown>>)[key], folders);
  }

  private either(a: Folders, b: Folders): Folders {
    const all = [...new Set([...a, ...b])];
    if (all.length <= maxFolders) return all;
    this.complete = false;
    return all.slice(0, maxFolders);
  }
}

/** `&>` of bash and zsh: to the system's own shell the command ends at the `&`, runs in the background, and another one begins. */
function endsElsewhere({ operator }: Redirection): boolean {
  return operator.startsWith('&>');
}

/** Where a node of the parser's may have nodes below it. */
const branches = ['parts', 'value', 'elements', 'index', 'operation', 'operand', 'operands', 'pattern', 'replacement', 'offset', 'length', 'expression', 'left', 'right', 'test', 'consequent', 'alternate', 'target', 'body'];

const unknownParts: ReadonlySet<WordPart['type']> = new Set(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion', 'ArithmeticExpansion', 'ProcessSubstitution', 'BraceExpansion']);

function isKnown(parts: readonly WordPart[] | undefined): boolean {
  return (parts ?? []).every((part) => !unknownParts.has(part.type) && (!('parts' in part) || isKnown(part.parts)));
}

/** A pattern of file names outside of quotes, or what zsh takes for the path of a program (`=ls`). */
function isGlob({ text }: Word | Assignment): boolean {
  return /[*?]|\[.+\]|[@!+]\(|^=[^=~\s]/s.test(text.replaceAll(/\\.|\$?'[^']*'|"(?:\\.|[^"\\])*"/gs, 'x'));
}
