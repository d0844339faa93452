import * as l10n from '@vscode/l10n';
import { fileNameOf, programOf, type ShellCommand, systemName } from './shellCommand';
import { isSystemTool } from './wildcardPrograms';
import { runsCommands } from './wrappers';

/** Risks that a permission request names, in this order. */
export const riskKinds = [
  'privilege',
  'program',
  'deletes',
  'forcePush',
  'outside',
  'guarded',
  'secret',
  'network',
] as const;

export type RiskKind = (typeof riskKinds)[number];

export interface Risk {
  readonly kind: RiskKind;
  /** A short sentence in the user's language, without the full stop. For showing only. */
  readonly text: string;
}

const privilegePrograms: ReadonlySet<string> = new Set(['sudo', 'doas', 'su', 'pkexec', 'runas', 'gsudo']);
const deletePrograms: ReadonlySet<string> = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'srm',
  'del',
  'erase',
  'rd',
  'ri',
  'remove-item',
  'clear-content',
  'rimraf',
  'trash',
  'mkfs',
  'wipefs',
  'truncate',
]);
const networkPrograms: ReadonlySet<string> = new Set([
  ...[
    'curl',
    'wget',
    'ssh',
    'scp',
    'sftp',
    'ftp',
    'telnet',
    'nc',
    'ncat',
    'netcat',
    'socat',
    'ping',
    'dig',
    'nslookup',
    'whois',
    'aria2c',
    'http',
    'https',
    'xh',
    'gh',
    'glab',
    'aws',
    'gcloud',
    'az',
  ],
  ...[
    'invoke-webrequest',
    'iwr',
    'invoke-restmethod',
    'irm',
    'start-bitstransfer',
    'bitsadmin',
    'test-netconnection',
    'bunx',
    'uvx',
    'pipx',
  ],
]);
/** Programs of which only some subcommands use the network. */
const networkSubcommands: Readonly<Record<string, string>> = {
  git: 'push|pull|fetch|clone|ls-remote|submodule',
  npm: 'install|i|ci|add|update|up|upgrade|publish|create|init|audit|outdated|view|info|login|exec|x|test-ci',
  pnpm: 'install|i|add|update|up|publish|create|dlx|audit|outdated',
  yarn: 'install|add|upgrade|up|publish|create|dlx',
  bun: 'install|i|add|update|create|x|publish',
  npx: '-y|--yes',
  pip: 'install|download|index',
  pip3: 'install|download|index',
  uv: 'add|sync|lock|pip|tool|python',
  poetry: 'add|install|update|lock|publish',
  cargo: 'install|add|update|publish|fetch|search',
  go: 'get|install|mod',
  gem: 'install|update|push|fetch',
  bundle: 'install|update',
  composer: 'install|require|update|create-project',
  brew: 'install|update|upgrade|tap|fetch',
  apt: 'install|update|upgrade|full-upgrade|dist-upgrade',
  'apt-get': 'install|update|upgrade|dist-upgrade|download',
  yum: 'install|update|upgrade',
  dnf: 'install|update|upgrade',
  apk: 'add|update|upgrade',
  docker: 'pull|push|login|build|compose|run',
  podman: 'pull|push|login|build|run',
  kubectl: 'apply|delete|exec|get|logs|port-forward|cp',
  terraform: 'init|apply|destroy|plan',
  dotnet: 'restore|add|nuget|tool',
  winget: 'install|upgrade|download',
  choco: 'install|upgrade',
  certutil: '-urlcache|/urlcache',
};

/** The risks of one command, from its program and arguments alone. */
export function commandRisks(command: ShellCommand): Risk[] {
  const program = programOf(command);
  const args = command.words.slice(1).map(({ text }) => text);
  const risks: Risk[] = [];
  const path = command.words[0]?.text ?? '';
  // `./x/bash` may be any program.
  if (
    systemName(path) === undefined &&
    (isSystemTool(program) || runsCommands(program) || privilegePrograms.has(program))
  )
    risks.push({ kind: 'program', text: l10n.t('Runs {0} instead of {1}', path, program) });
  if (command.runsUnseen) risks.push({ kind: 'program', text: l10n.t('Runs code that is not shown here') });
  if (privilegePrograms.has(program))
    risks.push({
      kind: 'privilege',
      text: program === 'su' ? l10n.t('Runs as another user (su)') : l10n.t('Runs as administrator ({0})', program),
    });
  if (/^(start-process|saps|start)$/.test(program) && args.some((arg) => /^runas$/i.test(arg)))
    risks.push({ kind: 'privilege', text: l10n.t('Runs as administrator ({0})', 'runas') });
  if (deletePrograms.has(program) || program.startsWith('mkfs.'))
    risks.push({ kind: 'deletes', text: l10n.t('Deletes files') });
  if ((program === 'find' || program === 'gfind') && args.includes('-delete'))
    risks.push({ kind: 'deletes', text: l10n.t('Deletes files') });
  if (program === 'rsync' && args.some((arg) => arg.startsWith('--delete')))
    risks.push({ kind: 'deletes', text: l10n.t('Deletes files') });
  if (program === 'dd' && args.some((arg) => arg.startsWith('of=')))
    risks.push({ kind: 'deletes', text: l10n.t('Overwrites a file or device (dd)') });
  if (program === 'git') risks.push(...gitRisks(args));
  if (networkPrograms.has(program) || (program === 'rsync' && args.some((arg) => /^([\w.-]+@)?[\w.-]{2,}:/.test(arg))))
    risks.push({ kind: 'network', text: l10n.t('Uses the network ({0})', fileNameOf(command.words[0]!.text)) });
  else if (Object.hasOwn(networkSubcommands, program)) {
    const used = subcommand(args, networkSubcommands[program]!.split('|'));
    if (used !== undefined)
      risks.push({ kind: 'network', text: l10n.t('Uses the network ({0})', `${program} ${used}`) });
    else if (program === 'yarn' && args.length === 0)
      risks.push({ kind: 'network', text: l10n.t('Uses the network ({0})', 'yarn') });
  }
  return risks;
}

/** The first operand, or an option, that is among `names`. */
function subcommand(args: readonly string[], names: readonly string[]): string | undefined {
  if (names[0]!.startsWith('-')) return args.find((arg) => names.includes(arg.toLowerCase()));
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    // `git -C folder push`, `npm --prefix folder install`.
    if (/^(-C|-c|--prefix|--git-dir|--work-tree|--cwd|-F|--filter|--dir)$/.test(arg)) at++;
    else if (!arg.startsWith('-')) return names.includes(arg) ? arg : undefined;
  }
  return undefined;
}

function gitRisks(args: readonly string[]): Risk[] {
  const verb = subcommand(args, [
    'push',
    'clean',
    'rm',
    'reset',
    'checkout',
    'restore',
    'branch',
    'stash',
    'switch',
    'worktree',
  ]);
  const rest = verb === undefined ? [] : args.slice(args.indexOf(verb) + 1);
  const has = (option: RegExp) => rest.some((arg) => option.test(arg));
  const discards = (): Risk => ({ kind: 'deletes', text: l10n.t('Discards changes ({0})', `git ${verb}`) });
  switch (verb) {
    case 'push':
      return [
        ...(has(/^(-[a-eg-zA-Z]*f[a-zA-Z]*|--force(-with-lease|-if-includes)?(=.*)?|--mirror|\+.+)$/)
          ? [{ kind: 'forcePush', text: l10n.t('Force-pushes') } as const]
          : []),
        ...(has(/^(-d|--delete|--prune|:.+)$/)
          ? [{ kind: 'deletes', text: l10n.t('Deletes a remote branch') } as const]
          : []),
      ];
    case 'clean':
      return has(/^(-[a-mo-zA-Z]*n[a-zA-Z]*|--dry-run)$/)
        ? []
        : [{ kind: 'deletes', text: l10n.t('Deletes files ({0})', `git ${verb}`) }];
    case 'rm':
      return has(/^(--cached|-n|--dry-run)$/)
        ? []
        : [{ kind: 'deletes', text: l10n.t('Deletes files ({0})', `git ${verb}`) }];
    case 'reset':
      return has(/^--(hard|merge|keep)$/) ? [discards()] : [];
    case 'checkout':
      return has(/^(--|-f|--force|\.)$/) ? [discards()] : [];
    case 'restore':
      return has(/^(--staged|-S)$/) && !has(/^(--worktree|-W)$/) ? [] : [discards()];
    case 'branch':
      return has(/^(-D|-d|--delete)$/) ? [{ kind: 'deletes', text: l10n.t('Deletes a branch') }] : [];
    case 'switch':
      return has(/^(-f|--force|--discard-changes)$/) ? [discards()] : [];
    case 'stash':
      return has(/^(drop|clear)$/) ? [discards()] : [];
    case 'worktree':
      return has(/^remove$/) ? [{ kind: 'deletes', text: l10n.t('Deletes a worktree') }] : [];
    default:
      return [];
  }
}
