import * as l10n from '@vscode/l10n';
import { commandLine, consentFacts, oneLine } from '../../registry/consent';
import type { RuntimeOffer } from '../../node/ownRuntime';
import { runtimeFacts } from '../agents/askForRuntime';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { AgentOffer } from './galleryAgents';

/** A dialog shows no more lines in full. Nobody should agree to text that they cannot see. */
const maxLines = 30;
const maxCharacters = 3_000;

/**
 * Asks before anything is downloaded: the agent, its source, its version, and its verification.
 * @param runtime Parley's own Node.js or uv, if that is downloaded with it
 */
export async function askToInstall(
  name: string,
  { offer, item, version, from, host }: AgentOffer,
  runtime: RuntimeOffer | undefined,
  isUpdate: boolean,
): Promise<boolean> {
  const { runs, env, check } = consentFacts(offer, version, from);
  const facts = [
    l10n.t('From: {0}', host === undefined ? from : `${host}\n${from}`),
    l10n.t('Runs: {0}', runs),
    ...variables(env),
    check.kind === 'sha256'
      ? `${checkWords.sha256()}\n${check.sha256}`
      : checkWords[item.lock === undefined ? check.kind : 'locked'](),
    ...(runtime ? runtimeFacts(needWords[runtime.name](), runtime) : []),
    l10n.t('An agent can do anything that you can: read and change files, and run commands.'),
  ];
  const shown = plainText(name, 80);
  return isUpdate
    ? agreeInFull(l10n.t('Update {0} to {1}?', shown, version), facts, l10n.t('Update'))
    : agreeInFull(l10n.t('Install {0} {1}?', shown, version), facts, l10n.t('Install'));
}

/**
 * Asks before a command of the user's own agent runs, or is written into the settings.
 * @param entry of `parley.agents`
 */
export async function askAboutCommand(
  act: 'test' | 'save',
  name: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const {
    command,
    args = [],
    env = {},
    cwd,
  } = entry as {
    readonly command: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
  };
  const facts = [
    l10n.t('Runs: {0}', commandLine(command, args)),
    ...(cwd === undefined ? [] : [l10n.t('In the folder: {0}', oneLine(cwd))]),
    ...variables(Object.entries(env).map(([variable, value]) => `${variable}=${oneLine(value)}`)),
    l10n.t('An agent can do anything that you can: read and change files, and run commands.'),
  ];
  const shown = plainText(name, 80);
  return act === 'test'
    ? agreeInFull(l10n.t('Start {0} to test the connection?', shown), facts, l10n.t('Start'))
    : agreeInFull(l10n.t('Save the agent {0}?', shown), facts, l10n.t('Save'));
}

/**
 * Asks before an agent's sign-in command runs.
 * @param variables from the agent, as `NAME=value`
 */
export async function askToSignIn(
  name: string,
  { line, cwd, variables: env }: { readonly line: string; readonly cwd: string; readonly variables: readonly string[] },
): Promise<boolean> {
  const facts = [l10n.t('Runs: {0}', line), l10n.t('In the folder: {0}', oneLine(cwd)), ...variables(env.map(oneLine))];
  return agreeInFull(
    l10n.t('Run a command to sign in with “{0}”?', plainText(name, 80)),
    facts,
    l10n.t('Run in Terminal'),
  );
}

function variables(env: readonly string[]): string[] {
  return env.length === 0 ? [] : [l10n.t('Variables: {0}', env.join('\n'))];
}

/** Asks in VS Code's own dialog, which the panel can neither change nor answer. */
async function agreeInFull(question: string, facts: readonly string[], action: string): Promise<boolean> {
  const detail = facts.join('\n\n');
  if (detail.length > maxCharacters || detail.split('\n').length > maxLines) {
    void markedWindow.showWarningMessage(
      l10n.t(
        '“{0}” is not possible, because the command is too long to show in full. You can enter it in the ' +
          'parley.agents setting.',
        action,
      ),
    );
    return false;
  }
  return (await markedWindow.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

const needWords = {
  node: () => l10n.t('It needs Node.js, which is missing here or too old.'),
  uv: () => l10n.t('It needs uv, which is missing here.'),
} as const;

const checkWords = {
  sha256: () => l10n.t('The download must match this SHA-256.'),
  npm: () => l10n.t('npm verifies the download against your registry’s hashes.'),
  locked: () => l10n.t('The download must match hashes that Parley knows.'),
  uv: () => l10n.t('uv verifies the download against your package index’s hashes.'),
  none: () => l10n.t('The author publishes no checksum, so Parley can’t verify the download.'),
} as const;
