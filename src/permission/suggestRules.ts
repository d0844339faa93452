import type { Judged } from './assess';
import { commandRisks } from './commandRisks';
import { readsInEditor } from './readsInEditor';
import { isBoundElsewhere } from './rules';
import { allowedText, canonicalText, programOf, type ShellCommand } from './shellCommand';
import { takesWildcard } from './wildcardPrograms';

/** An entry for the setting. */
export interface SuggestedRule {
  readonly answer: 'allowOnce' | 'rejectOnce';
  readonly kind?: string;
  readonly command?: string | readonly string[];
  readonly paths?: readonly string[];
}

/** Programs whose second word is a subcommand; after `run` and `exec`, the third word counts. */
const withSubcommands: ReadonlySet<string> = new Set([
  'git',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'cargo',
  'go',
  'docker',
  'dotnet',
  'deno',
  'pip',
  'pip3',
  'uv',
  'poetry',
  'gh',
  'kubectl',
  'terraform',
  'make',
  'mvn',
  'gradle',
  'npx',
  'just',
]);
/**
 * With other arguments these delete, write anywhere, use the network or build, so Parley does not suggest a wildcard.
 */
const neverPrefix = /^((find|rm|cp|mv|ln|make|python[\d.]*)|git (fetch|pull|rebase))( |$)/;

/** Rules that would have answered this request, the narrowest first; rules that reject come last. */
export function suggestRules(judged: Judged): SuggestedRule[] {
  const { commands, subject, files } = judged;
  const isAllowable = judged.mustAsk === undefined && !commands?.some((command) => isBoundElsewhere(command, judged));
  const rules: SuggestedRule[] = [];
  if (commands && commands.length > 0) {
    const asked = commands.filter(({ isNamedBefore }) => !isNamedBefore);
    const prefixes = asked.map(prefixOf);
    const isHarmless = prefixes.every((prefix) => prefix !== undefined);
    // A star in the command itself would become a wildcard in the pattern.
    if (isAllowable && asked.every((command) => !allowedText(command).includes('*')))
      rules.push({ answer: 'allowOnce', command: listed(asked.map(allowedText)) });
    if (isAllowable && isHarmless) rules.push({ answer: 'allowOnce', command: listed(prefixes) });
    rules.push({ answer: 'rejectOnce', command: listed(asked.map(canonicalText)) });
    const first = commands.find((command) => commandRisks(command).length > 0);
    if (first && programOf(first) !== '') rules.push({ answer: 'rejectOnce', command: `${first.words[0]!.text} *` });
    return rules;
  }
  if (isAllowable && readsInEditor(subject)) rules.push({ answer: 'allowOnce', kind: 'editorRead' });
  if (subject.command || subject.kind === 'execute') return rules;
  const folders = [...new Set(files.map(folderOf))];
  if (isAllowable && files.length > 0) {
    rules.push({ answer: 'allowOnce', kind: subject.kind, paths: files });
    rules.push({
      answer: 'allowOnce',
      kind: subject.kind,
      paths: folders.map((folder) => (folder === '' ? '**' : `${folder}/**`)),
    });
    // Other kinds are too vague: every tool of an MCP server may be `other`.
  } else if (isAllowable && (subject.kind === 'search' || subject.kind === 'fetch'))
    rules.push({ answer: 'allowOnce', kind: subject.kind });
  const says =
    files.length > 0 || (subject.kind !== 'other' && subject.kind !== 'think' && subject.kind !== 'switch_mode');
  if (says) rules.push({ answer: 'rejectOnce', kind: subject.kind, ...(files.length > 0 ? { paths: files } : {}) });
  return rules;
}

function listed(patterns: readonly string[]): string | readonly string[] {
  const distinct = [...new Set(patterns)];
  return distinct.length === 1 ? distinct[0]! : distinct;
}

/** `npm test *` of `npm test -- -u`; undefined if that would allow too much. */
function prefixOf(command: ShellCommand): string | undefined {
  const program = programOf(command);
  const words = command.words.map(({ text }) => text);
  if (
    !takesWildcard(command) ||
    command.redirects.some(({ mode }) => mode !== 'read') ||
    neverPrefix.test([program, ...words.slice(1, 2)].join(' '))
  )
    return undefined;
  if (commandRisks(command).some(({ kind }) => kind !== 'network')) return undefined;
  const verb = withSubcommands.has(program)
    ? words.slice(0, /^(run|exec|x|-m)$/.test(words[1] ?? '') ? 3 : 2)
    : words.slice(0, 1);
  return verb.some((word, index) => (index > 0 && word.startsWith('-')) || !/^[\w@%+=:,./-]+$/.test(word))
    ? undefined
    : `${verb.join(' ')} *`;
}

function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end < 0 ? '' : file.slice(0, end);
}
