import * as vscode from 'vscode';
import { isObject } from '../../acp/json';
import { decodeRules, type PermissionRule } from '../../permission/decodeRules';
import type { SuggestedRule } from '../../permission/suggestRules';

/** Only what the person set for this machine counts; a repository allows nothing. */
function rawRules(): unknown {
  return vscode.workspace.getConfiguration('parley').inspect<unknown>('permissions.rules')?.globalValue;
}

export function readRules(): { readonly rules: readonly PermissionRule[]; readonly problems: readonly string[] } {
  return decodeRules(rawRules());
}

export async function addRule(rule: SuggestedRule): Promise<void> {
  await write([...listOfRules(), rule]);
}

export async function deleteRule(index: number): Promise<void> {
  await write(listOfRules().filter((_rule, at) => at !== index));
}

/** Switches rules on or off by their names. */
export async function enableRules(names: readonly string[], enabled: boolean): Promise<void> {
  const indices = new Set(readRules().rules.filter(({ name }) => names.includes(name)).map(({ index }) => index));
  const changed = listOfRules().map((rule, at): unknown => {
    if (!indices.has(at) || !isObject(rule)) return rule;
    const { enabled: _enabled, ...rest } = rule;
    return enabled ? rest : { ...rest, enabled: false };
  });
  await write(changed);
}

function listOfRules(): readonly unknown[] {
  const raw = rawRules();
  return Array.isArray(raw) ? raw : [];
}

async function write(rules: readonly unknown[]): Promise<void> {
  await vscode.workspace.getConfiguration('parley').update('permissions.rules', rules, vscode.ConfigurationTarget.Global);
}
