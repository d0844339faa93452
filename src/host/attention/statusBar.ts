import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import { isPermissiveMode } from '../../thread/permissiveMode';
import { currentChoice, optionOf } from '../../thread/sessionOptions';
import { stateLines, stateWords } from '../../view/attention';
import { nearlyUsedWords } from '../../view/projectUsage';
import { markedWindow } from '../platform/markedWindow';
import { ATTENTION_MS, attentionItem } from './attentionItem';
import { plainText } from '../platform/plainText';
import type { SessionService } from '../sessions/sessionService';

/**
 * Agent and mode in the status bar, with a summary of all sessions. A click shows the session that waits or has
 * finished unseen; else it opens the picker of modes, or of agents if there are no modes.
 */
export class StatusBar extends Disposable {
  readonly #item = this.register(
    markedWindow.createStatusBarItem('parley.status', vscode.StatusBarAlignment.Right, 100),
  );

  #shown = '';

  constructor(
    private readonly sessions: SessionService,
    private readonly clock: Clock,
  ) {
    super();
    this.#item.name = 'Parley';
    const soon = this.register(new Coalescer(clock, ATTENTION_MS, () => this.#update()));
    this.register(sessions.onDidChange(() => soon.schedule()));
    this.#update();
    this.#item.show();
  }

  #update(): void {
    const { session, agent, imported } = this.sessions.active;
    const open = this.sessions.open.map((live) => ({ id: live.id, item: attentionItem(live) }));
    const items = open.map(({ item }) => item);
    const waiting = open.findLast(({ item }) => item.waiting.length > 0);
    const calling = waiting ?? open.findLast(({ item }) => item.unread && !item.running);
    const { options } = session.thread;
    const option = optionOf(options, 'mode');
    const mode = option?.type === 'select' ? currentChoice(option) : undefined;
    const connection = this.sessions.active.connection.view.state;
    const isBusy = connection === 'starting' || items.some(({ running }) => running);
    const icon = waiting
      ? '$(bell-dot)'
      : isBusy
        ? '$(loading~spin)'
        : connection === 'failed'
          ? '$(warning)'
          : '$(comment-discussion)';
    const label = plainText(
      [agent || (imported ? l10n.t('Imported session') : l10n.t('Select an agent')), mode?.name]
        .filter(Boolean)
        .join(' · '),
    );
    // The process may run although it opened no session.
    const failure = this.sessions.runningAgentNamed(agent) ? l10n.t('no session') : l10n.t('not running');
    const state =
      stateWords(items) || (connection === 'starting' ? l10n.t('starting') : connection === 'failed' ? failure : '');
    const limit = nearlyUsedWords(session.thread.account, this.clock.now());
    const text = [`${icon} ${label}`, state, limit && plainText(limit)].filter(Boolean).join(' · ');
    const lines = [
      l10n.t('Parley: {0}', agent || l10n.t('no agent')),
      ...stateLines(items),
      mode && l10n.t('Mode: {0}', mode.name),
      mode?.description,
      limit,
      session.thread.account?.label && l10n.t('Account: {0}', plainText(session.thread.account.label)),
    ].filter(Boolean);
    const shown = [text, ...lines, mode?.value, connection, calling?.id].join('\n');
    if (this.#shown === shown) return;
    this.#shown = shown;
    this.#item.text = text;
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = {
      label: l10n.t('Parley: {0}', [label, state, limit].filter(Boolean).join(', ')),
    };
    if (calling)
      this.#item.command = { command: 'parley.openChat', title: l10n.t('Show Session'), arguments: [calling.id] };
    else this.#item.command = mode ? 'parley.selectMode' : agent || imported ? 'parley.openChat' : 'parley.selectAgent';
    this.#item.backgroundColor = isPermissiveMode(
      mode && { id: mode.value, name: mode.name, description: mode.description },
    )
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
  }
}
