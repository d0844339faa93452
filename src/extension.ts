import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writeNumbersIn } from './base/numberText';
import { defaultAgentName, lastAgentKey } from './host/agents/defaultAgent';
import type { ParleyExports } from './host/ask/parleyApi';
import { commandIds } from './host/platform/commandIds';
import { announceSaves, windowSaves } from './host/changes/disk/saveAnnouncer';
import type { OpenWindow } from './host/composition/window';
import { chatEditorType, chatViewId } from './host/platform/chatViewId';
import { systemClock } from './host/platform/clock';
import { markedWindow } from './host/platform/markedWindow';
import { plainText } from './host/platform/plainText';
import { adoptStorage } from './host/storage/adoptStorage';
import { leftBehind, mustErase, windowStorage } from './host/storage/windowStorage';
import { translateMarks } from './protocol/translateMarks';

let opened: OpenWindow | undefined;

/**
 * A window begins with the ways in: the commands, the view and the status bar item. The rest is loaded when one of them
 * is used, or at once where changes are pending.
 */
export function activate(context: vscode.ExtensionContext): Promise<ParleyExports> | ParleyExports {
  writeNumbersIn(vscode.env.language);
  if (vscode.l10n.bundle) {
    l10n.config({ contents: vscode.l10n.bundle });
    translateMarks();
  }
  if (!mustErase(context)) return begin(context);
  return import('./host/storage/eraseData').then(({ erase }) => erase(context)).then(() => begin(context));
}

function begin(context: vscode.ExtensionContext): ParleyExports {
  const log = vscode.window.createOutputChannel('Parley', { log: true });
  const storage = windowStorage(context);
  adoptStorage(storage, log);
  const saves = windowSaves(context, systemClock);
  let opening: Promise<OpenWindow> | undefined;
  const ways: vscode.Disposable[] = [];
  const open = async (): Promise<OpenWindow> => {
    const { openWindow } = await import('./host/composition/window');
    // The same commands are registered there.
    for (const way of ways.splice(0)) way.dispose();
    return (opened = openWindow(context, log, storage, saves));
  };
  const start = () => (opening ??= open());
  const exported: ParleyExports = { getApi: async (version, from) => (await start()).getApi(version, from) };
  const { isPending, agent } = leftBehind(storage);
  const agentName = () => opened?.agent ?? agent ?? defaultAgentName(context.globalState.get(lastAgentKey));
  context.subscriptions.push(
    log,
    announceSaves(saves, (file) => opened?.isWriting(file) ?? false),
    vscode.window.registerWebviewViewProvider(chatViewId, {
      resolveWebviewView: async (view) => (await start()).attachSideBar(view),
    }),
    vscode.window.registerWebviewPanelSerializer(chatEditorType, {
      deserializeWebviewPanel: (tab, state) => restoreTab(start(), tab, state),
    }),
    vscode.languages.registerCodeActionsProvider([{ scheme: 'file' }, { scheme: 'untitled' }], {
      provideCodeActions: async (document, _, problems) =>
        (await import('./host/ask/quickFixes')).quickFixes(agentName(), document, problems),
    }),
    vscode.window.registerUriHandler({ handleUri: async (uri) => (await start()).openLink(uri) }),
    { dispose: () => ways.forEach((way) => void way.dispose()) },
  );
  if (isPending || process.env['PARLEY_OPEN_ON_START'] === '1') {
    void start();
    return exported;
  }
  if (agent === undefined)
    void import('./host/attention/greeting').then(({ greet }) =>
      greet(context.globalState, () => opening !== undefined, systemClock),
    );
  ways.push(statusItem(agentName()));
  for (const id of commandIds(context)) {
    ways.push(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        await start();
        return vscode.commands.executeCommand(id, ...args);
      }),
    );
  }
  return exported;
}

/** The user may close the tab before its session is there. */
async function restoreTab(started: Promise<OpenWindow>, tab: vscode.WebviewPanel, state: unknown): Promise<void> {
  let isClosed = false;
  tab.onDidDispose(() => (isClosed = true));
  await (await started).restoreTab(tab, state, () => isClosed);
}

/**
 * VS Code waits a few seconds for this. It disposes everything as soon as this is called, so nothing comes before the
 * last save.
 */
export function deactivate(): Promise<void> | undefined {
  return opened?.shutdown();
}

/** As `StatusBar` shows it before there is a session. */
function statusItem(name: string): vscode.Disposable {
  const item = markedWindow.createStatusBarItem('parley.status', vscode.StatusBarAlignment.Right, 100);
  const agent = plainText(name);
  item.name = 'Parley';
  item.text = `$(comment-discussion) ${agent || l10n.t('Select an agent')}`;
  item.tooltip = l10n.t('Parley: {0}', agent || l10n.t('no agent'));
  item.command = agent ? 'parley.openChat' : 'parley.selectAgent';
  item.show();
  // An agent that was never started may offer to sign in.
  void vscode.commands.executeCommand('setContext', 'parley.canSignIn', agent !== '');
  return item;
}
