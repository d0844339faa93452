import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ServerDefinition } from './serverDefinition';

/** The source of values for variables. */
export interface VariableValues {
  /** The user's answer. */
  readonly input: (id: string) => string | undefined;
  /** An environment variable; an unset one reads as "", as in VS Code. */
  readonly env: (name: string) => string | undefined;
  /** Absolute folder of the definition. */
  readonly folder: string;
  /** A workspace folder by its name. */
  readonly folderNamed: (name: string) => string | undefined;
  readonly userHome: string;
}

/** A text could not be completed; the message gives the reason, in words for the user. */
export class VariableProblem extends Error {}

/** Also matches an unclosed variable: else the search for its end would start again at each `${`. */
const pattern = /\$\{([^}]*)(?:\}|$)/g;

/** The texts of a definition with their variables replaced. @throws VariableProblem */
export function expandDefinition(definition: ServerDefinition, values: VariableValues): ServerDefinition {
  return mapTexts(definition, (text) =>
    text.replace(pattern, (whole, inner: string) => (whole.endsWith('}') ? valueOf(whole, inner, values) : whole)),
  );
}

/**
 * The names in variables of one kind, each once, in the order of the definition: ids of inputs, names of the
 * environment.
 */
export function namesIn(definition: ServerDefinition, kind: 'input' | 'env'): readonly string[] {
  const names = new Set<string>();
  mapTexts(definition, (text) => {
    for (const [whole, inner = ''] of text.matchAll(pattern))
      if (whole.endsWith('}') && inner.startsWith(`${kind}:`))
        names.add(kind === 'env' ? variableOf(inner.slice(4)).name : inner.slice(kind.length + 1));
    return text;
  });
  return [...names];
}

/** Changes all texts of a definition. */
export function mapTexts(definition: ServerDefinition, change: (text: string) => string): ServerDefinition {
  const each = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
  return definition.transport === 'stdio'
    ? {
        transport: 'stdio',
        command: change(definition.command),
        args: definition.args.map(change),
        env: each(definition.env),
      }
    : { transport: definition.transport, url: change(definition.url), headers: each(definition.headers) };
}

/** `NAME:-default`, as in shells. */
function variableOf(text: string): { readonly name: string; readonly fallback: string } {
  const at = text.indexOf(':-');
  return at < 0 ? { name: text, fallback: '' } : { name: text.slice(0, at), fallback: text.slice(at + 2) };
}

/**
 * The variables of VS Code's `mcp.json` that make sense for a server; any other is refused rather than passed on
 * literally.
 */
function valueOf(whole: string, inner: string, { input, env, folder, folderNamed, userHome }: VariableValues): string {
  const [kind = '', ...rest] = inner.split(':');
  const name = rest.join(':');
  if (kind === 'input') return known(input(name), l10n.t('“{0}” was not answered', name));
  if (kind === 'env') return env(variableOf(name).name) || variableOf(name).fallback;
  if (kind === 'workspaceFolder' && name !== '')
    return known(folderNamed(name), l10n.t('there is no workspace folder “{0}”', name));
  switch (inner) {
    case 'workspaceFolder':
      return folder;
    case 'workspaceFolderBasename':
      return nodePath.basename(folder);
    case 'userHome':
      return userHome;
    case 'pathSeparator':
    case '/':
      return nodePath.sep;
    default:
      throw new VariableProblem(l10n.t('the variable {0} is unknown', whole));
  }
}

function known(value: string | undefined, problem: string): string {
  if (value === undefined) throw new VariableProblem(problem);
  return value;
}
