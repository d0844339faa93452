import nodePath from 'node:path';
import type { GitLineEnds } from './gitLineEnds';

/** Settings that git gets for a repository: only known words, never a text of the repository. */
export interface GitSettings {
  /** The text of a configuration file. */
  readonly config: string;
  /** Files of the user's own, absolute. */
  readonly excludesFile?: string;
  readonly attributesFile?: string;
  /** False if git does not compare the executable bit. */
  readonly knowsModes: boolean;
  readonly lineEnds: GitLineEnds;
  /** Two names that differ in case only are one file. */
  readonly ignoresCase: boolean;
  /** The repository's `core.worktree`, as written there. */
  readonly workTree?: string;
}

const yesOrNo = /^(?:true|false|yes|no|on|off|1|0)$/i;

/**
 * Settings that change a file's form on disk, with their allowed values. None of them names a program, a file or a
 * server.
 */
const harmless: Readonly<Record<string, RegExp>> = {
  'core.filemode': yesOrNo,
  'core.ignorecase': yesOrNo,
  'core.symlinks': yesOrNo,
  'core.precomposeunicode': yesOrNo,
  // Else git for Windows misses files with long paths.
  'core.longpaths': yesOrNo,
  'core.trustctime': yesOrNo,
  'core.checkstat': /^(?:default|minimal)$/i,
  'core.sparsecheckout': yesOrNo,
  'core.autocrlf': /^(?:true|false|yes|no|on|off|1|0|input)$/i,
  'core.eol': /^(?:lf|crlf|native)$/i,
};

/** Repository formats that work without further programs. Promised objects are simply missing. */
const knownExtensions = new Set([
  'noop',
  'objectformat',
  'worktreeconfig',
  'partialclone',
  'preciousobjects',
  'refstorage',
  'relativeworktrees',
]);

/**
 * Selects the harmless settings from the configurations of the user and the repository, which wins.
 * @param user and `repository`: by name in lower case; see `parseConfig`. @param home for `~`.
 * @returns undefined for a repository of an unknown format, or without a working tree.
 */
export function gitSettings(
  user: ReadonlyMap<string, string>,
  repository: ReadonlyMap<string, string>,
  home: string | undefined,
): GitSettings | undefined {
  const format = repository.get('extensions.objectformat') ?? 'sha1';
  const extensions = [...repository.keys()].flatMap((key) =>
    key.startsWith('extensions.') ? [key.slice('extensions.'.length)] : [],
  );
  const version = repository.get('core.repositoryformatversion') ?? '0';
  if (
    !/^[01]$/.test(version) ||
    !/^sha(?:1|256)$/.test(format) ||
    (version === '1' && extensions.some((name) => !knownExtensions.has(name)))
  )
    return undefined;
  if ((repository.get('extensions.refstorage') ?? 'files') !== 'files' || isTrue(repository.get('core.bare')))
    return undefined;
  const lines = Object.entries(harmless).flatMap(([key, allowed]) => {
    const value = repository.get(key) ?? user.get(key);
    return value !== undefined && allowed.test(value) ? [`\t${key.slice('core.'.length)} = ${value}`] : [];
  });
  const setting = (key: string) => (repository.get(key) ?? user.get(key))?.toLowerCase();
  const [autocrlf, eol] = [setting('core.autocrlf'), setting('core.eol')];
  const modes = repository.get('core.filemode') ?? user.get('core.filemode');
  const workTree = repository.get('core.worktree');
  return {
    config: [
      '[core]\n\trepositoryformatversion = 1\n\tbare = false\n',
      ...lines.map((line) => `${line}\n`),
      `${fixed}[extensions]\n\tobjectFormat = ${format}\n`,
    ].join(''),
    knowsModes: modes === undefined || isTrue(modes),
    ignoresCase: isTrue(setting('core.ignorecase')),
    lineEnds: {
      autocrlf: autocrlf === 'input' ? 'input' : isTrue(autocrlf),
      eol: eol === 'lf' || eol === 'crlf' ? eol : undefined,
    },
    ...pathOf('excludesFile', user.get('core.excludesfile'), home),
    ...pathOf('attributesFile', user.get('core.attributesfile'), home),
    ...(workTree === undefined ? {} : { workTree }),
  };
}

/** Only small parts of packs are in memory at a time, so that git stays far below its limit. */
const fixed =
  '\tfsmonitor = false\n\tuntrackedCache = false\n\tquotePath = false\n' +
  '\tpackedGitWindowSize = 32m\n\tpackedGitLimit = 512m\n';

function pathOf<K extends string>(
  name: K,
  value: string | undefined,
  home: string | undefined,
): { readonly [P in K]?: string } {
  const path = value?.startsWith('~/') && home !== undefined ? nodePath.join(home, value.slice(2)) : value;
  return (path !== undefined && nodePath.isAbsolute(path) ? { [name]: path } : {}) as { readonly [P in K]?: string };
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|1|)$/i.test(value);
}

/** Reads `git config --list -z`: the last value of each name; a name without a value is true. */
export function parseConfig(output: Buffer): ReadonlyMap<string, string> {
  const entries = output
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}
