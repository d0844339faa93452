import * as l10n from '@vscode/l10n';
import type { InstallProgress } from '../../node/packageManager';
import type { GalleryAct, GalleryAgentView, GalleryState } from '../../protocol/galleryView';
import { hasUpdate, stateOf } from '../../registry/agentState';
import { type Machine, missingManager } from '../../registry/offer';
import type { AgentPackage } from '../../registry/packageNames';
import { bytesWords, progressWords } from '../agents/installWords';
import type { AgentOffer, GalleryAgent } from './galleryAgents';

/** The current facts about one agent. */
export interface RowFacts {
  readonly installed?: string;
  readonly previous?: string;
  readonly machine: Machine;
  readonly isTrusted: boolean;
  readonly isCurrent: boolean;
  readonly isPinned: boolean;
  readonly isInstalling: boolean;
  readonly wantsSignIn: boolean;
  readonly problem?: string;
  readonly progress?: string;
  readonly part?: number;
}

const needs = { npm: 'node', uv: 'uv', archive: 'download' } as const;

const buttons: Readonly<Record<GalleryState, GalleryAct | undefined>> = {
  installing: 'cancel',
  failed: 'retry',
  signIn: 'signIn',
  unavailable: undefined,
  notInstalled: 'install',
  update: 'use',
  ready: 'use',
};

/** One row of the gallery. */
export function projectAgent(agent: GalleryAgent, facts: RowFacts): GalleryAgentView {
  const { key, name, about, kind, configuration, offered } = agent;
  const { installed, isPinned, isCurrent, problem, progress, part, machine, isTrusted } = facts;
  const state = stateIn(agent, facts);
  const manager = configuration?.source?.manager ?? offered?.offer.kind;
  const button = buttons[state];
  const isInstall = button === 'install' || (button === 'retry' && installed === undefined);
  return {
    key,
    name,
    about:
      about ||
      (configuration ? [configuration.command, ...(configuration.source ? [] : configuration.args)].join(' ') : ''),
    kind,
    state,
    isCurrent,
    isPinned,
    ...(installed === undefined ? {} : { version: installed }),
    ...(offered && (installed === undefined || hasUpdate({ installed, offered: offered.version, isPinned }))
      ? { offered: offered.version }
      : {}),
    ...(manager ? { needs: needs[manager] } : {}),
    isMissing: isTrusted && manager !== undefined && missingManager({ kind: manager }, machine) !== undefined,
    ...(problem === undefined ? {} : { problem }),
    ...(progress === undefined ? {} : { progress }),
    ...(part === undefined ? {} : { part }),
    ...(button && (isTrusted || !isInstall) ? { button } : {}),
    hasMenu: menuActs(agent, facts).length > 0,
  };
}

/** Further acts of the user with an agent, in the order of the menu. */
export function menuActs(agent: GalleryAgent, facts: RowFacts): GalleryAct[] {
  const { kind, configuration, offered } = agent;
  const { installed, previous, isPinned, isInstalling, isTrusted } = facts;
  // An agent of an extension is in no setting.
  if (isInstalling || !configuration || kind === 'demo' || configuration.extension !== undefined) return [];
  const isThere = installed !== undefined;
  const acts: readonly (readonly [GalleryAct, boolean])[] = [
    ['use', buttons[stateIn(agent, facts)] !== 'use' && (isThere || !configuration.source)],
    ['update', isTrusted && hasUpdate({ installed, offered: offered?.version, isPinned: false })],
    ['goBack', isTrusted && isThere && previous !== undefined && previous !== installed],
    ['pin', isThere && !isPinned && offered !== undefined],
    ['unpin', isThere && isPinned],
    ['edit', true],
    ['duplicate', kind === 'custom' && configuration.source === undefined],
    ['remove', isThere || kind !== 'builtIn'],
  ];
  return acts.flatMap(([act, isOffered]) => (isOffered ? [act] : []));
}

function stateIn(
  { configuration, offered }: GalleryAgent,
  { installed, isPinned, isInstalling, wantsSignIn, problem }: RowFacts,
): GalleryState {
  const isCommand = configuration !== undefined && configuration.source === undefined;
  return stateOf({
    isCommand,
    isPinned,
    isInstalling,
    wantsSignIn,
    hasFailed: problem !== undefined,
    ...(installed === undefined ? {} : { installed }),
    ...offeredVersion(offered, configuration?.source?.version),
  });
}

/** The version in the setting's entry can be installed even if no index offers one. */
function offeredVersion(offered: AgentOffer | undefined, own: string | undefined): { readonly offered?: string } {
  const version = offered?.version ?? own;
  return version === undefined ? {} : { offered: version };
}

/**
 * The progress of an installation, for a row that already names the agent. @returns `part` from 0 to 1, in hundredths
 */
export function rowProgress(
  progress: InstallProgress,
  item: AgentPackage,
): { readonly progress: string; readonly part?: number } {
  if (progress.step !== 'download' && progress.step !== 'packages') return { progress: progressWords(progress, item) };
  const { done, total } = progress;
  const part = done === undefined || !total ? {} : { part: Math.min(100, Math.floor((done / total) * 100)) / 100 };
  return {
    progress:
      progress.step === 'download'
        ? progress.of === undefined
          ? l10n.t('Downloading: {0}', bytesWords(progress.done, total))
          : progressWords(progress, item)
        : packagesWords(progress.total, done),
    ...part,
  };
}

function packagesWords(total: number, done: number | undefined): string {
  if (done !== undefined) return l10n.t('Downloading: {0} of {1} packages', done, total);
  return total === 1 ? l10n.t('Downloading: 1 package') : l10n.t('Downloading: {0} packages', total);
}
