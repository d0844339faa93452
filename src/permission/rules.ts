import type { PermissionChoice } from '../acp/decodeRequest';
import { isObject } from '../base/json';
import { guardMatcher, strictMatcher } from '../changes/guardedFiles';
import { matchesItems } from '../changes/wildcards';
import type { Judged } from './assess';
import { type PermissionRule, decodeRules } from './decodeRules';
import { isAbsolute } from './paths';
import { readsInEditor } from './readsInEditor';
import { runnerProgram } from './runners';
import { allowedText, canonicalText, programOf, type ShellCommand } from './shellCommand';
import { takesWildcard } from './wildcardPrograms';
import { runsScripts } from './wrappers';

export interface RuleDecision {
  /** One of the agent's options; its kind is `allow_once` or `reject_once`. */
  readonly choice: PermissionChoice;
  /** Names of the deciding rules, in order. */
  readonly rules: readonly string[];
}

/**
 * Answers a request by the user's rules. Reject beats ask beats allow, in any order; only a rule allows, and never a
 * request that needs the user (`Judged.mustAsk`).
 * @param isTrusted false in Restricted Mode, where no rule allows.
 * @returns undefined if the user must answer.
 */
export function decide(
  rules: readonly PermissionRule[],
  judged: Judged,
  agent: string,
  options: readonly PermissionChoice[],
  isTrusted: boolean,
): RuleDecision | undefined {
  const concerned = rules.filter(
    (rule) =>
      rule.enabled &&
      (rule.agent === undefined || rule.agent === agent) &&
      (rule.kind === undefined || rule.kind === judged.subject.kind || isEditorRead(rule, judged)),
  );
  const rejecting = concerned.find((rule) => rule.answer === 'rejectOnce' && touches(rule, judged));
  if (rejecting) return chosen(options, 'reject_once', [rejecting.name]);
  if (
    !isTrusted ||
    judged.mustAsk !== undefined ||
    concerned.some((rule) => rule.answer === 'ask' && touches(rule, judged))
  )
    return undefined;
  // The contents of a folder that is too large to list may match a rule.
  if (
    judged.touchesMore &&
    concerned.some((rule) => rule.answer !== 'allowOnce' && touches({ ...rule, paths: ['**'] }, judged))
  )
    return undefined;
  const allowing = allowingRules(
    concerned.filter(({ answer }) => answer === 'allowOnce'),
    judged,
  );
  return (
    allowing &&
    chosen(
      options,
      'allow_once',
      allowing.map(({ name }) => name),
    )
  );
}

/** A rule for the editor's own tools that only read, and a call of one. */
function isEditorRead({ kind }: PermissionRule, { subject }: Judged): boolean {
  return kind === 'editorRead' && readsInEditor(subject);
}

/** If the agent offers two options of a kind, a rule cannot know which one was meant. */
function chosen(
  options: readonly PermissionChoice[],
  kind: PermissionChoice['kind'],
  rules: readonly string[],
): RuleDecision | undefined {
  const fitting = options.filter((option) => option.kind === kind);
  return fitting.length === 1 ? { choice: fitting[0]!, rules } : undefined;
}

/** For rules that restrain: one command or file in any spelling is enough. */
function touches({ commands, paths }: PermissionRule, { commands: found, subject, touched }: Judged): boolean {
  if (paths && !touched.some(guardMatcher(paths))) return false;
  if (!commands) return true;
  const { command, commandHint, further } = subject;
  const said = command
    ? [command.text, ...(command.argv ? [command.argv.join(' ')] : [])]
    : commandHint === undefined
      ? []
      : [commandHint];
  // A field next to the command may be a command that runs before it.
  const texts = [
    ...(found ?? []).flatMap(spellings),
    ...said,
    ...further.flatMap(({ value }) =>
      typeof value === 'string' ? [value] : Array.isArray(value) ? [value.join(' ')] : [],
    ),
  ];
  return texts.some((text) => commands.some((pattern) => matchesCommand(text.toLowerCase(), pattern.toLowerCase())));
}

function spellings(command: ShellCommand): string[] {
  const words = command.words.map(({ text }) => text);
  const program = programOf(command);
  return [canonicalText(command), command.text, words.join(' '), [program, ...words.slice(1)].join(' ')];
}

/**
 * For rules that allow: each command and each file must match one of them. `cd` needs none: its target has been
 * checked, and a command that means something else there is not allowed.
 * @returns undefined if anything matches none.
 */
function allowingRules(rules: readonly PermissionRule[], judged: Judged): readonly PermissionRule[] | undefined {
  const { commands, subject, files } = judged;
  const editorRule = rules.find((rule) => isEditorRead(rule, judged));
  if (editorRule) return [editorRule];
  if (subject.command || subject.kind === 'execute') {
    if (!commands || commands.some((command) => isBoundElsewhere(command, judged))) return undefined;
    const used = new Set<PermissionRule>();
    for (const command of commands) {
      if (command.isNamedBefore) continue;
      const isMove = command.words[0]?.text === 'cd' && command.redirects.length === 0;
      const rule = rules.find((candidate) =>
        candidate.commands?.some((pattern) => allowsCommand(command, pattern, judged)),
      );
      if (!rule && !isMove) return undefined;
      if (rule) used.add(rule);
    }
    return used.size > 0 ? [...used] : undefined;
  }
  const rule = rules.find(
    ({ commands: patterns, paths }) =>
      !patterns &&
      (!paths || (files.length > 0 && files.every(strictMatcher(paths, judged.ignoresCase) ?? (() => false)))),
  );
  return rule && [rule];
}

/**
 * True if a command runs outside the session's folder and means something else there: a path names another program, git
 * uses another repository's settings, and a program that may run code finds other code. Tools that a runner finds by
 * name stay the same, unless they get a script.
 */
export function isBoundElsewhere(command: ShellCommand, { isOwnFolder }: Judged): boolean {
  if (command.folders.every(isOwnFolder)) return false;
  const [program = '', ...args] = command.words.map(({ text }) => text);
  const name = programOf(command);
  if ((/[\\/]/.test(program) && !isAbsolute(program)) || name === 'git' || name === 'gh') return true;
  return command.isNamedBefore
    ? runsScripts(name)
    : !takesWildcard(command) && runnerProgram([name, ...args]) === undefined;
}

function allowsCommand(command: ShellCommand, pattern: string, { isOwnFolder }: Judged): boolean {
  return (
    (!pattern.includes('*') || (takesWildcard(command) && gitFolders(command).every(isOwnFolder))) &&
    matchesCommand(allowedText(command), pattern)
  );
}

/** The folders of `git -C`. */
function gitFolders(command: ShellCommand): string[] {
  const words = programOf(command) === 'git' ? command.words.map(({ text }) => text) : [];
  const verb = words.findIndex((word, at) => at > 0 && !word.startsWith('-') && words[at - 1] !== '-C');
  return words.slice(0, Math.max(0, verb)).filter((_word, at) => words[at - 1] === '-C');
}

/**
 * True if a command matches a pattern. `*` matches any text; ` *` at the end also matches nothing, so that `npm test
 * *` matches `npm test` and `npm test -- -u`, and not `npm tests`. The time is bounded by the product of the lengths.
 */
export function matchesCommand(text: string, pattern: string): boolean {
  if (pattern.endsWith(' *') && matchesCommand(text, pattern.slice(0, -2))) return true;
  return matchesItems(
    [...pattern],
    [...text],
    (char) => char === '*',
    (char, other) => char === other,
  );
}

/**
 * The setting with some of its rules on or off; entries that are not rules stay as they are.
 * @param which decides by place and content: names need not be unique.
 */
export function switchRules(
  raw: unknown,
  which: (rule: PermissionRule) => boolean,
  enabled: boolean,
): readonly unknown[] {
  const places = new Set(
    decodeRules(raw)
      .rules.filter(which)
      .map(({ index }) => index),
  );
  return (Array.isArray(raw) ? (raw as unknown[]) : []).map((rule, index): unknown => {
    if (!places.has(index) || !isObject(rule)) return rule;
    const { enabled: _enabled, ...rest } = rule;
    return enabled ? rest : { ...rest, enabled: false };
  });
}

/** The setting without some of its rules; see `switchRules`. */
export function withoutRules(raw: unknown, which: (rule: PermissionRule) => boolean): readonly unknown[] {
  const places = new Set(
    decodeRules(raw)
      .rules.filter(which)
      .map(({ index }) => index),
  );
  return (Array.isArray(raw) ? (raw as unknown[]) : []).filter((_rule, index) => !places.has(index));
}

/** The rules that gave an answer. A rule with the same name but another effect is not among them. */
export function decidedBy(names: readonly string[], allowed: boolean): (rule: PermissionRule) => boolean {
  return ({ name, answer }) => answer === (allowed ? 'allowOnce' : 'rejectOnce') && names.includes(name);
}
