import * as vscode from 'vscode';
import { decodeRules, type PermissionRule } from '../../permission/decodeRules';
import type { SuggestedRule } from '../../permission/suggestRules';
import { switchRules, withoutRules } from '../../permission/switchRules';

/** Only what the user set for this machine counts; a repository allows nothing. */
function rawRules(): unknown {
  return vscode.workspace.getConfiguration('parley').inspect<unknown>('permissions.rules')?.globalValue;
}

export function readRules(): { readonly rules: readonly PermissionRule[]; readonly problems: readonly string[] } {
  return decodeRules(rawRules());
}

export async function addRule(rule: SuggestedRule): Promise<void> {
  await write([...listOfRules(), rule]);
}

export async function deleteRules(which: (rule: PermissionRule) => boolean): Promise<void> {
  await write(withoutRules(rawRules(), which));
}

/** Switches rules on or off; see `switchRules`. */
export async function enableRules(which: (rule: PermissionRule) => boolean, enabled: boolean): Promise<void> {
  await write(switchRules(rawRules(), which, enabled));
}

function listOfRules(): readonly unknown[] {
  const raw = rawRules();
  return Array.isArray(raw) ? raw : [];
}

async function write(rules: readonly unknown[]): Promise<void> {
  await vscode.workspace.getConfiguration('parley').update('permissions.rules', rules, vscode.ConfigurationTarget.Global);
}
