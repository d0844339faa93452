import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PermissionRule } from '../../permission/decodeRules';
import type { SuggestedRule } from '../../permission/suggestRules';
import { canAllow } from '../../permission/wildcardPrograms';
import { askerName } from '../../protocol/questionView';
import { markedWindow } from '../platform/markedWindow';
import type { PermissionRecord } from './permissionHistory';
import type { RuleSettings } from './ruleSettings';
import { plainText } from '../platform/plainText';
import { editSetting } from '../platform/settingsEditor';

interface RuleItem extends vscode.QuickPickItem {
  readonly rule?: PermissionRule;
  readonly isPending?: boolean;
  readonly add?: true;
  /** Shows which extensions may use Parley. */
  readonly extensions?: true;
}

/** The buttons of one picker: a pressed one is recognized by identity. */
const ruleButtons = () =>
  ({
    edit: { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Edit in Settings') },
    on: { iconPath: new vscode.ThemeIcon('circle-large-outline'), tooltip: l10n.t('Enable') },
    confirm: { iconPath: new vscode.ThemeIcon('check'), tooltip: l10n.t('Activate…') },
    off: { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: l10n.t('Disable') },
    delete: { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete') },
  }) satisfies Readonly<Record<string, vscode.QuickInputButton>>;

const answerIcons: Readonly<Record<PermissionRule['answer'], string>> = {
  allowOnce: 'pass',
  rejectOnce: 'error',
  ask: 'question',
};

/** `Parley: Show Permission Rules`: the rules for automatic answers, to switch, edit and delete. */
export function showRules(settings: RuleSettings): void {
  const picker = markedWindow.createQuickPick<RuleItem>();
  const buttons = ruleButtons();
  picker.title = l10n.t('Parley: Permission Rules');
  picker.placeholder = l10n.t('Press Enter to activate, enable or disable a rule');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const refresh = () => {
    const { rules, problems } = settings.read();
    const pending = new Set(settings.pending.map(({ index }) => index));
    picker.items = [
      // Pending rules come first.
      ...rules.filter(({ index }) => pending.has(index)).map((rule) => pendingItem(rule, buttons)),
      ...rules.filter(({ index }) => !pending.has(index)).map((rule) => ruleItem(rule, buttons)),
      ...problems.map((problem): RuleItem => ({
        label: `$(warning) ${plainText(problem, 300)}`,
        buttons: [buttons.edit],
      })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      {
        label: `$(add) ${l10n.t('Add a rule in settings…')}`,
        detail:
          rules.length === 0
            ? l10n.t('Without a rule, Parley always asks you. You can also add one from a pending permission request.')
            : '',
        add: true,
      },
      { label: `$(extensions) ${l10n.t('Extensions that may use Parley…')}`, extensions: true },
    ];
  };
  const settled = (change: Promise<unknown>) =>
    void change.then(refresh, (error: unknown) =>
      markedWindow.showErrorMessage(l10n.t('The rules could not be changed: {0}', plainText(String(error)))),
    );
  const change = ({ rule, isPending }: RuleItem) => {
    if (!rule) return;
    if (!isPending) return settled(settings.enable(sameRule(rule), !rule.enabled));
    // The question covers the picker, which then comes back with the rule's new state.
    picker.hide();
    void activate(rule, settings).then(
      () => showRules(settings),
      (error: unknown) =>
        markedWindow.showErrorMessage(l10n.t('The rules could not be changed: {0}', plainText(String(error)))),
    );
  };
  picker.onDidTriggerItemButton(({ item, button }) => {
    if (button === buttons.edit) void openRuleSettings();
    else if (item.rule && button === buttons.delete) settled(settings.remove(sameRule(item.rule)));
    else change(item);
  });
  picker.onDidAccept(() => {
    const [item] = picker.selectedItems;
    if (item?.rule) change(item);
    else if (item?.extensions) void vscode.commands.executeCommand('parley.apiAccess');
    else void openRuleSettings();
  });
  const changes = settings.onDidChange(refresh);
  picker.onDidHide(() => {
    changes.dispose();
    picker.dispose();
  });
  refresh();
  picker.show();
}

/** Asks whether a rule that was not added through Parley should apply. */
async function activate(rule: PermissionRule, settings: RuleSettings): Promise<void> {
  const action = l10n.t('Activate');
  const about = [
    rule.commands?.join('\n'),
    rule.kind && callsOf(rule.kind),
    rule.paths && l10n.t('files {0}', rule.paths.join(', ')),
    rule.agent && l10n.t('of {0}', rule.agent),
  ]
    .filter((part) => typeof part === 'string')
    .join('\n');
  const detail = `${about}\n\n${l10n.t('Parley did not write this rule. Activate it only if you did.')}`;
  if (
    (await markedWindow.showWarningMessage(
      l10n.t('Allow this without asking from now on?'),
      { modal: true, detail },
      action,
    )) === action
  )
    await settings.confirm(rule);
}

/** One quiet notification about new rules in the settings that do not apply yet. */
export async function tellOfPending(settings: RuleSettings): Promise<void> {
  const { length } = settings.takeUntold();
  if (length === 0) return;
  const review = l10n.t('Review');
  const words =
    length === 1
      ? l10n.t('1 new permission rule in your settings is not active.')
      : l10n.t('{0} new permission rules in your settings are not active.', length);
  if ((await markedWindow.showInformationMessage(words, review)) === review) showRules(settings);
}

/** Matches a rule by its place, unless another rule has moved there since the list was made. */
function sameRule({ index, name }: PermissionRule): (rule: PermissionRule) => boolean {
  return (rule) => rule.index === index && rule.name === name;
}

function ruleItem(rule: PermissionRule, buttons: ReturnType<typeof ruleButtons>): RuleItem {
  const { name, answer, enabled } = rule;
  return {
    label: `$(${enabled ? answerIcons[answer] : 'circle-slash'}) ${labelOf(answer, plainText(name, 200))}`,
    description: enabled ? '' : l10n.t('off'),
    detail: [...deadPatterns(rule), plainText(describe(rule), 300)].filter((part) => part !== '').join(' · '),
    buttons: [buttons.edit, enabled ? buttons.off : buttons.on, buttons.delete],
    rule,
  };
}

/** The patterns of a rule that can allow nothing, in words: a wildcard covers only programs that run nothing else. */
function deadPatterns({ answer, commands = [] }: PermissionRule): string[] {
  const dead = answer === 'allowOnce' ? commands.filter((pattern) => !canAllow(pattern)) : [];
  return dead.length === 0
    ? []
    : [`$(warning) ${l10n.t('Never allows {0}: write this command out, without *', plainText(dead.join(', '), 200))}`];
}

/** A pending rule, shown in full, since the user must agree to it. */
function pendingItem(rule: PermissionRule, buttons: ReturnType<typeof ruleButtons>): RuleItem {
  const label = `$(warning) ${labelOf(rule.answer, plainText(rule.name, 200))}`;
  return {
    label,
    description: l10n.t('not active'),
    detail: [...deadPatterns(rule), plainText(describe({ ...rule, name: '' }), 1_000)].join(' · '),
    buttons: [buttons.confirm, buttons.edit, buttons.delete],
    rule,
    isPending: true,
  };
}

/** @param what the requests that the rule answers */
function labelOf(answer: PermissionRule['answer'], what: string): string {
  switch (answer) {
    case 'allowOnce':
      return l10n.t('Allow {0}', what);
    case 'rejectOnce':
      return l10n.t('Reject {0}', what);
    case 'ask':
      return l10n.t('Ask for {0}', what);
  }
}

/** The conditions that the name does not mention. */
function describe({ name, agent, kind, commands, paths }: PermissionRule): string {
  const parts = [
    commands && commands.join(', ') !== name && l10n.t('commands {0}', commands.join(', ')),
    kind && callsOf(kind),
    paths && l10n.t('files {0}', paths.join(', ')),
    agent && l10n.t('of {0}', agent),
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

async function openRuleSettings(): Promise<void> {
  await editSetting('parley.permissions.rules');
}

/** Offers the rules that would have answered a request, and writes the chosen one into the settings of this machine. */
export async function addSuggested(suggestions: readonly SuggestedRule[], settings: RuleSettings): Promise<void> {
  const items = suggestions.map((rule) => ({
    label: `$(${answerIcons[rule.answer]}) ${labelOf(rule.answer, plainText(wordsOf(rule), 300))}`,
    description: l10n.t('without asking'),
    rule: rule as SuggestedRule | undefined,
  }));
  const write = { label: `$(gear) ${l10n.t('Write a rule in settings…')}`, description: '', rule: undefined };
  const canAllow = suggestions.some(({ answer }) => answer === 'allowOnce');
  const cannot =
    suggestions.length === 0
      ? l10n.t('The request has too little information for a rule')
      : l10n.t(
          'Rules do not allow this: it leaves the workspace, touches a protected file, or has shell syntax or ' +
            'input that rules do not cover',
        );
  const chosen = await markedWindow.showQuickPick([...items, write], {
    title: l10n.t('Parley: Add Permission Rule'),
    placeHolder: canAllow ? l10n.t('Select a rule for this machine') : cannot,
  });
  if (!chosen) return;
  if (!chosen.rule) return openRuleSettings();
  await settings.add(chosen.rule);
  const show = l10n.t('Show Rules');
  if (
    (await markedWindow.showInformationMessage(
      l10n.t('The rule applies from the next request. Answer this one yourself.'),
      show,
    )) === show
  )
    showRules(settings);
}

function callsOf(kind: string): string {
  return kind === 'editorRead' ? l10n.t('editor tools that only read') : l10n.t('{0} calls', kind);
}

function wordsOf({ kind, command, paths }: SuggestedRule): string {
  const commands = typeof command === 'string' ? [command] : (command ?? []);
  if (commands.length > 0)
    return commands.length === 2 ? l10n.t('{0}  and  {1}', commands[0]!, commands[1]!) : commands.join(',  ');
  if (kind === undefined) return (paths ?? []).join(', ');
  if (kind === 'editorRead') return callsOf(kind);
  return paths ? l10n.t('{0} calls on {1}', kind, paths.join(', ')) : l10n.t('{0} calls', kind);
}

function byWords(by: PermissionRecord['by']): string {
  switch (by) {
    case 'person':
      return l10n.t('by you');
    case 'rule':
      return l10n.t('by a rule');
    case 'stop':
      return l10n.t('withdrawn by Stop');
    case 'agent':
      return l10n.t('withdrawn by the agent');
    case 'end':
      return l10n.t('the agent stopped');
    case 'changes':
      return l10n.t('cancelled: the agent kept changing it');
  }
}

/** `Parley: Show Permission History`: every answer in this workspace, the newest first. */
export function showHistory(records: readonly PermissionRecord[]): void {
  const picker = markedWindow.createQuickPick();
  picker.title = l10n.t('Parley: Permission History');
  picker.placeholder =
    records.length === 0 ? l10n.t('No permission requests yet') : l10n.t('All answers in this workspace, newest first');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const exportButton = { iconPath: new vscode.ThemeIcon('export'), tooltip: l10n.t('Export…') };
  picker.buttons = records.length > 0 ? [exportButton] : [];
  picker.items = records.toReversed().map((record) => ({
    label: [
      `$(${record.allowed ? 'pass' : record.answer === '' ? 'circle-slash' : 'error'})`,
      plainText(record.what.replaceAll(/\s+/g, ' '), 200),
    ].join(' '),
    description: answerOf(record),
    detail: [
      new Date(record.at).toLocaleString(),
      askerName(record.agent, record.subagent),
      record.session,
      ...remarksOn(record),
    ]
      .filter((part) => part !== '')
      .map((part) => plainText(part, 200))
      .join(' · '),
  }));
  picker.onDidTriggerButton(() => void exportHistory(records));
  picker.onDidAccept(() => picker.hide());
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

/** Unusual facts about a request. */
function remarksOn({ changes = 0, before = [], further = [], fromTitle }: PermissionRecord): string[] {
  return [
    ...(changes > 0
      ? [
          changes === 1
            ? l10n.t('Changed once while it was pending')
            : l10n.t('Changed {0} times while it was pending', changes),
        ]
      : []),
    ...further.map((text) => l10n.t('Also in the input: {0}', text)),
    ...before.map((text) => l10n.t('The tool call said: {0}', text.replaceAll(/\s+/g, ' '))),
    ...(fromTitle ? [l10n.t('Command taken from the title only')] : []),
  ];
}

function answerOf({ answer, by, rules }: PermissionRecord): string {
  if (answer === '') return byWords(by);
  const how =
    by === 'rule'
      ? l10n.t('by your rule {0}', (rules ?? []).map((rule) => `“${plainText(rule, 100)}”`).join(', '))
      : byWords(by);
  return `${plainText(answer, 100)}, ${how}`;
}

/** `Parley: Export Permission History`: the same as JSON, in a file that the user chooses. */
export async function exportHistory(records: readonly PermissionRecord[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Export Permission History'),
    filters: { JSON: ['json'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'permission-history.json') } : {}),
  });
  if (!target) return;
  const readable = records.map((record) => ({ ...record, at: new Date(record.at).toISOString() }));
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(`${JSON.stringify(readable, undefined, 2)}\n`));
}
