import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { decodeRules, type PermissionRule } from '../../permission/decodeRules';
import { switchRules, withoutRules } from '../../permission/rules';
import type { SuggestedRule } from '../../permission/suggestRules';

const SETTING = 'parley.permissions.rules';
const CONFIRMED = 'parley.confirmedRules';
const TOLD = 'parley.toldRules';

/**
 * The rules of this machine. A rule that allows applies only after the user has confirmed it here: other writers of the
 * user's settings (an agent, a script, Settings Sync) must not be able to allow anything. Rules that the user adds
 * through Parley are confirmed by that. A confirmation is for the rule's effect, and ends when the rule is changed,
 * switched off or removed.
 */
export class RuleSettings extends Disposable {
  /** Parley's own changes in progress: the setting and the confirmations differ meanwhile. */
  #writing = 0;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** The active or pending rules have changed. */
  readonly onDidChange = this.#changeEmitter.event;

  /** @param state outlives the window, and is not part of the user's settings */
  constructor(private readonly state: vscode.Memento) {
    super();
    this.#forgetGone();
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(SETTING) || this.#writing > 0) return;
        this.#forgetGone();
        this.#changeEmitter.fire();
      }),
    );
  }

  /** All rules as they are in the setting. */
  read(): { readonly rules: readonly PermissionRule[]; readonly problems: readonly string[] } {
    return decodeRules(rawRules());
  }

  /** Rules that currently apply. */
  get active(): readonly PermissionRule[] {
    const confirmed = this.#confirmed();
    return this.read().rules.filter((rule) => rule.answer !== 'allowOnce' || confirmed.has(digestOf(rule)));
  }

  /** False in Restricted Mode, where rules only reject or ask. */
  get mayAllow(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** Rules that would allow something and are pending. */
  get pending(): readonly PermissionRule[] {
    const confirmed = this.#confirmed();
    return this.read().rules.filter((rule) => allows(rule) && !confirmed.has(digestOf(rule)));
  }

  /** Pending rules that the user has not been told about yet; each is returned once. */
  takeUntold(): readonly PermissionRule[] {
    const { pending } = this;
    const told = new Set(textsIn(this.state, TOLD));
    void this.state.update(TOLD, pending.map(digestOf));
    return pending.filter((rule) => !told.has(digestOf(rule)));
  }

  /** The user has reviewed a rule and confirms it. */
  async confirm(rule: PermissionRule): Promise<void> {
    await this.#confirm([digestOf(rule)]);
    this.#changeEmitter.fire();
  }

  /** Adds a rule that the user has chosen. */
  async add(rule: SuggestedRule): Promise<void> {
    const added = [...listOfRules(), rule];
    await this.#write(added, decodeRules(added).rules.slice(-1));
  }

  async remove(which: (rule: PermissionRule) => boolean): Promise<void> {
    await this.#write(withoutRules(rawRules(), which), []);
  }

  /** Switches rules on or off for the user; see `switchRules`. */
  async enable(which: (rule: PermissionRule) => boolean, enabled: boolean): Promise<void> {
    const switched = switchRules(rawRules(), which, enabled);
    await this.#write(switched, enabled ? decodeRules(switched).rules.filter(which) : []);
  }

  /**
   * @param chosen the user's new rules: confirmed before they are in the setting, where another window may see them at
   * once
   */
  async #write(rules: readonly unknown[], chosen: readonly PermissionRule[]): Promise<void> {
    this.#writing++;
    try {
      await this.#confirm(chosen.filter(allows).map(digestOf));
      await vscode.workspace
        .getConfiguration('parley')
        .update('permissions.rules', rules, vscode.ConfigurationTarget.Global);
    } finally {
      this.#writing--;
    }
    this.#forgetGone();
    this.#changeEmitter.fire();
  }

  async #confirm(digests: readonly string[]): Promise<void> {
    if (digests.length > 0) await this.state.update(CONFIRMED, [...new Set([...this.#confirmed(), ...digests])]);
  }

  /**
   * Forgets confirmations of rules that the user removed or switched off: another program may bring such a rule back.
   */
  #forgetGone(): void {
    const there = new Set(this.read().rules.filter(allows).map(digestOf));
    const confirmed = [...this.#confirmed()];
    if (confirmed.some((digest) => !there.has(digest)))
      void this.state.update(
        CONFIRMED,
        confirmed.filter((digest) => there.has(digest)),
      );
  }

  #confirmed(): ReadonlySet<string> {
    return new Set(textsIn(this.state, CONFIRMED));
  }
}

function allows({ answer, enabled }: PermissionRule): boolean {
  return answer === 'allowOnce' && enabled;
}

/** Identifies a rule by its content. Its name does not matter. */
function digestOf({ answer, agent, kind, commands, paths }: PermissionRule): string {
  return createHash('sha256')
    .update(JSON.stringify([answer, agent ?? null, kind ?? null, commands ?? null, paths ?? null]))
    .digest('hex');
}

function textsIn(state: vscode.Memento, key: string): readonly string[] {
  const kept = state.get<unknown>(key);
  return Array.isArray(kept) ? kept.filter((item): item is string => typeof item === 'string') : [];
}

/** Only the user's settings for this machine count, because a repository must not allow anything. */
function rawRules(): unknown {
  return vscode.workspace.getConfiguration('parley').inspect<unknown>('permissions.rules')?.globalValue;
}

function listOfRules(): readonly unknown[] {
  const raw = rawRules();
  return Array.isArray(raw) ? raw : [];
}
