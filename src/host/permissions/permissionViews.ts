import * as vscode from 'vscode';
import type { PermissionRule } from '../../permission/decodeRules';
import type { SuggestedRule } from '../../permission/suggestRules';
import { markedWindow } from '../platform/markedWindow';
import type { PermissionRecord } from './permissionHistory';
import { addRule, deleteRules, enableRules, readRules } from './ruleSettings';
import { plainText } from '../platform/plainText';
import { editSetting } from '../platform/settingsEditor';

interface RuleItem extends vscode.QuickPickItem {
  readonly rule?: PermissionRule;
  readonly add?: true;
}

const editButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: 'Edit in Settings' };
const onButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('circle-large-outline'), tooltip: 'Switch On' };
const offButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: 'Switch Off' };
const deleteButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete' };
const exportButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('export'), tooltip: 'Export…' };

const answerWords: Readonly<Record<PermissionRule['answer'], string>> = { allowOnce: 'Allow', rejectOnce: 'Reject', ask: 'Ask for' };
const answerIcons: Readonly<Record<PermissionRule['answer'], string>> = { allowOnce: 'pass', rejectOnce: 'error', ask: 'question' };

/** `Parley: Permission Rules`: what is answered automatically, to be switched, edited and deleted. */
export function showRules(): void {
  const picker = markedWindow.createQuickPick<RuleItem>();
  picker.title = 'Parley: Permission Rules';
  picker.placeholder = 'Enter switches a rule on or off';
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const refresh = () => {
    const { rules, problems } = readRules();
    picker.items = [
      ...rules.map(ruleItem),
      ...problems.map((problem): RuleItem => ({ label: `$(warning) ${plainText(problem, 300)}`, buttons: [editButton] })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: '$(add) Add a rule in settings…', detail: rules.length === 0 ? 'Nothing is answered without you. A rule can also be made from a question that waits.' : '', add: true },
    ];
  };
  const settled = (change: Promise<void>) => void change.then(refresh, (error: unknown) => markedWindow.showErrorMessage(`The rules could not be changed: ${plainText(String(error))}`));
  picker.onDidTriggerItemButton(({ item: { rule }, button }) => {
    if (button === editButton) void openRuleSettings();
    else if (rule && button === deleteButton) settled(deleteRules(sameRule(rule)));
    else if (rule) settled(toggle(rule));
  });
  picker.onDidAccept(() => {
    const [item] = picker.selectedItems;
    if (item?.rule) settled(toggle(item.rule));
    else void openRuleSettings();
  });
  picker.onDidHide(() => picker.dispose());
  refresh();
  picker.show();
}

function toggle(rule: PermissionRule): Promise<void> {
  return enableRules(sameRule(rule), !rule.enabled);
}

/** By its place, and not another rule that has come there since the list was made. */
function sameRule({ index, name }: PermissionRule): (rule: PermissionRule) => boolean {
  return (rule) => rule.index === index && rule.name === name;
}

function ruleItem(rule: PermissionRule): RuleItem {
  const { name, answer, enabled } = rule;
  return {
    label: `$(${enabled ? answerIcons[answer] : 'circle-slash'}) ${answerWords[answer]} ${plainText(name, 200)}`,
    description: enabled ? '' : 'off',
    detail: plainText(describe(rule), 300),
    buttons: [editButton, enabled ? offButton : onButton, deleteButton],
    rule,
  };
}

/** What is not said by the name already. */
function describe({ name, agent, kind, commands, paths }: PermissionRule): string {
  const parts = [commands && commands.join(', ') !== name && `commands ${commands.join(', ')}`, kind && `${kind} calls`, paths && `files ${paths.join(', ')}`, agent && `of ${agent}`];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

async function openRuleSettings(): Promise<void> {
  await editSetting('parley.permissions.rules');
}

/** Offers the rules that would have answered a request, and writes the chosen one into the settings of this machine. */
export async function addSuggested(suggestions: readonly SuggestedRule[]): Promise<void> {
  const items = suggestions.map((rule) => ({
    label: `$(${answerIcons[rule.answer]}) ${answerWords[rule.answer]} ${plainText(wordsOf(rule), 300)}`,
    description: 'without asking',
    rule: rule as SuggestedRule | undefined,
  }));
  const settings = { label: '$(gear) Write a rule in settings…', description: '', rule: undefined };
  const canAllow = suggestions.some(({ answer }) => answer === 'allowOnce');
  const cannot = suggestions.length === 0 ? 'The question says too little to make a rule of it' : 'A rule cannot allow this: it leaves the workspace, touches a guarded file or is more than a chain of simple commands';
  const chosen = await markedWindow.showQuickPick([...items, settings], {
    title: 'Parley: Add Permission Rule',
    placeHolder: canAllow ? 'What is to be answered without asking, on this machine' : cannot,
  });
  if (!chosen) return;
  if (!chosen.rule) return openRuleSettings();
  await addRule(chosen.rule);
  const show = 'Show Rules';
  if ((await markedWindow.showInformationMessage('The rule applies from the next request. Answer this one yourself.', show)) === show) showRules();
}

function wordsOf({ kind, command, paths }: SuggestedRule): string {
  const commands = typeof command === 'string' ? [command] : (command ?? []);
  return [...(commands.length > 0 ? [commands.join('  and  ')] : []), ...(kind === undefined ? [] : [`${kind} calls`]), ...(paths ? [`on ${paths.join(', ')}`] : [])].join(' ');
}

const byWords: Readonly<Record<PermissionRecord['by'], string>> = { person: 'by you', rule: 'by a rule', stop: 'withdrawn by Stop', agent: 'withdrawn by the agent', end: 'the agent was lost', changes: 'cancelled: the agent kept changing it' };

/** `Parley: Show Permission History`: every answer in this workspace, the newest first. */
export function showHistory(records: readonly PermissionRecord[]): void {
  const picker = markedWindow.createQuickPick();
  picker.title = 'Parley: Permission History';
  picker.placeholder = records.length === 0 ? 'Nothing was asked yet' : 'All answers in this workspace, the newest first';
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.buttons = records.length > 0 ? [exportButton] : [];
  picker.items = records.toReversed().map((record) => ({
    label: `$(${record.allowed ? 'pass' : record.answer === '' ? 'circle-slash' : 'error'}) ${plainText(record.what.replaceAll(/\s+/g, ' '), 200)}`,
    description: answerOf(record),
    detail: [new Date(record.at).toLocaleString(), record.agent, record.session, ...remarksOn(record)].filter((part) => part !== '').map((part) => plainText(part, 200)).join(' · '),
  }));
  picker.onDidTriggerButton(() => void exportHistory(records));
  picker.onDidAccept(() => picker.hide());
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

/** What was unusual about a request. */
function remarksOn({ changes = 0, before = [], fromTitle }: PermissionRecord): string[] {
  return [
    ...(changes > 0 ? [`Changed ${changes === 1 ? 'once' : `${changes} times`} while it waited`] : []),
    ...before.map((text) => `The tool call said: ${text.replaceAll(/\s+/g, ' ')}`),
    ...(fromTitle ? ['Command known from the title only'] : []),
  ];
}

function answerOf({ answer, by, rules }: PermissionRecord): string {
  if (answer === '') return byWords[by];
  return `${plainText(answer, 100)}, ${by === 'rule' ? `by your rule ${(rules ?? []).map((rule) => `“${plainText(rule, 100)}”`).join(', ')}` : byWords[by]}`;
}

/** `Parley: Export Permission History`: the same as JSON, in a file that the user chooses. */
export async function exportHistory(records: readonly PermissionRecord[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({ title: 'Export Permission History', filters: { JSON: ['json'] }, ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'permission-history.json') } : {}) });
  if (!target) return;
  const readable = records.map((record) => ({ ...record, at: new Date(record.at).toISOString() }));
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(`${JSON.stringify(readable, undefined, 2)}\n`));
}
