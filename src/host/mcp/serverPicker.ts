import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { adoptionQuestion, describeDefinition } from './adoptionWords';
import type { InputAnswers } from './inputAnswers';
import { awaitsReview, describeSource, type KnownServer } from './knownServer';
import type { ServerOutcome } from './passServers';
import type { ServerSources } from './serverSources';
import { openSetting } from '../platform/settingsEditor';

type Action = 'adopt' | 'decline' | 'answer' | 'forget' | 'open';

/** The editor's own server, which is not among the defined ones. */
export interface OwnServer {
  readonly name: string;
  /** Who uses it in the shown session, in words; undefined if the session has none. */
  readonly use: () => string | undefined;
  readonly chooseTools: () => Promise<void>;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: KnownServer;
  readonly isOwn?: true;
}

interface ActionItem extends vscode.QuickPickItem {
  readonly action: Action;
}

/**
 * `Parley: Show MCP Servers`: all servers, whether the shown session has them and why not, and the possible actions.
 */
export class ServerPicker {
  /** @param outcomeOf the result for a server in the shown session, while that is open */
  constructor(
    private readonly sources: ServerSources,
    private readonly answers: InputAnswers,
    private readonly outcomeOf: (key: string) => ServerOutcome | undefined,
    private readonly own: OwnServer,
  ) {}

  /** @returns true if the next session will have another setup. */
  async show(): Promise<boolean> {
    let changed = false;
    for (;;) {
      const known = await this.sources.read();
      const chosen = await markedWindow.showQuickPick(this.#items(known), {
        title: l10n.t('Parley: MCP Servers'),
        placeHolder: l10n.t('Select an MCP server'),
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (!chosen) return changed;
      if (chosen.isOwn) {
        await this.own.chooseTools();
        return changed;
      }
      if (!chosen.server) {
        await openSetting('parley.mcpServers');
        return changed;
      }
      const { server } = chosen;
      const action = awaitsReview(server) ? 'adopt' : await pickAction(server);
      const done = action === undefined || action === 'open' ? action : await this.#act(server, action);
      if (done === 'open') {
        await openDefinition(server);
        return changed;
      }
      if (done) changed = true;
    }
  }

  #items(known: readonly KnownServer[]): ServerItem[] {
    const waiting = known.filter(awaitsReview);
    const items = [...waiting, ...known.filter((server) => !waiting.includes(server))].map((server): ServerItem => ({
      label: [
        `$(${awaitsReview(server) ? 'question' : server.problem === undefined ? 'plug' : 'warning'})`,
        plainText(server.name),
      ].join(' '),
      description: plainText(this.#stateOf(server), 300),
      detail: `${plainText(describeDefinition(server), 300)} — ${describeSource(server.source)}`,
      server,
    }));
    const own: ServerItem = {
      label: `$(plug) ${this.own.name}`,
      description: this.own.use() ?? l10n.t('not in this session'),
      detail: l10n.t('Tools of VS Code: choose what agents get'),
      isOwn: true,
    };
    return [
      own,
      ...items,
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: `$(gear) ${l10n.t('Edit servers in settings…')}` },
    ];
  }

  #stateOf(server: KnownServer): string {
    const outcome = this.outcomeOf(server.key);
    if (server.problem !== undefined) return l10n.t('cannot be used: {0}', server.problem);
    if (server.adoption === 'new') return l10n.t('not passed on: needs your review');
    if (server.adoption === 'changed') return l10n.t('not passed on: the definition has changed since you decided');
    const next =
      server.adoption === 'declined' ? l10n.t('not passed on: your choice') : l10n.t('passed on to the next session');
    if (!outcome || outcome.fingerprint !== server.fingerprint) return next;
    if (outcome.state === 'passed')
      return server.adoption === 'declined'
        ? l10n.t('passed to the agent, but not to the next session')
        : l10n.t('passed to the agent');
    return outcome.state === 'left' && outcome.why !== undefined ? l10n.t('not passed on: {0}', outcome.why) : next;
  }

  /** @returns true if the next session will have another setup; `open` if the user wants to see the definition. */
  async #act(server: KnownServer, action: Exclude<Action, 'open'>): Promise<boolean | 'open'> {
    switch (action) {
      case 'adopt':
        return this.#decide(server);
      case 'decline':
        await this.sources.decide(server, 'declined');
        await this.answers.forget(server);
        return true;
      case 'answer':
        return this.answers.askAgain(server);
      case 'forget':
        await this.answers.forget(server);
        return true;
    }
  }

  /** Asks with the program or address in full. Closing the question decides nothing. */
  async #decide(server: KnownServer): Promise<boolean | 'open'> {
    const { message, detail, isComplete } = adoptionQuestion(server);
    const pass = l10n.t('Allow');
    const open = l10n.t('Open Definition');
    const chosen = await markedWindow.showWarningMessage(
      message,
      { modal: true, detail },
      isComplete ? pass : open,
      l10n.t('Don’t Allow'),
    );
    if (chosen === undefined) return false;
    if (chosen === open) return 'open';
    await this.sources.decide(server, chosen === pass ? 'adopted' : 'declined');
    return chosen === pass;
  }
}

async function pickAction(server: KnownServer): Promise<Action | undefined> {
  const { adoption, source, inputs } = server;
  const items: ActionItem[] = [
    ...(adoption === 'declined' ? [{ label: `$(check) ${l10n.t('Allow…')}`, action: 'adopt' as const }] : []),
    ...(adoption === 'adopted'
      ? [
          {
            label: `$(circle-slash) ${l10n.t('Don’t Allow')}`,
            description: l10n.t('Parley deletes its input values'),
            action: 'decline' as const,
          },
        ]
      : []),
    ...(inputs.length > 0
      ? [
          {
            label: `$(key) ${l10n.t('Enter Input Values…')}`,
            description: plainText(inputs.map(({ id }) => id).join(', ')),
            action: 'answer' as const,
          },
          { label: `$(trash) ${l10n.t('Forget Input Values')}`, action: 'forget' as const },
        ]
      : []),
    {
      label:
        source.kind === 'settings'
          ? `$(gear) ${l10n.t('Open Settings')}`
          : `$(go-to-file) ${l10n.t('Open Definition')}`,
      action: 'open',
    },
  ];
  return (
    await markedWindow.showQuickPick(items, {
      title: l10n.t('Parley: MCP Server {0}', plainText(server.name)),
      placeHolder: plainText(describeDefinition(server), 300),
    })
  )?.action;
}

async function openDefinition({ source }: KnownServer): Promise<void> {
  if (source.kind === 'settings') await openSetting('parley.mcpServers');
  else await vscode.window.showTextDocument(vscode.Uri.file(source.file));
}
