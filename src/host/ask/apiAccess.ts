import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asObject } from '../../base/decode';
import { OneByOne } from '../../base/oneByOne';
import { commandLine, oneLine } from '../../registry/consent';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { apiErrors } from './apiErrors';
import type { ApiAgent } from './parleyApi';

/** Answers of the user, by extension: true or false. */
const accessKey = 'parley.apiAccess';
/** Commands that the user agreed to, by extension. */
const commandsKey = 'parley.apiCommands';
/** A dialog shows no more. Nobody should agree to text that they cannot see. */
const maxDetail = 3_000;

/** An extension that asks. Its identifier is what it says: VS Code runs all extensions in one process. */
export interface ApiCaller {
  /** `publisher.name`, lower case. */
  readonly id: string;
  /** Its display name, which is its own choice. */
  readonly name: string;
}

/**
 * Finds the extension that a context belongs to.
 * @throws Error if it is none that is installed, or of Parley itself
 */
export function callerOf(context: unknown): ApiCaller {
  const given = asObject(asObject(context)['extension']);
  const known = vscode.extensions.all.find(({ id }) => id === given['id']);
  if (!known || known.extensionPath !== asObject(context)['extensionPath'] || known.id === 'parley.parley')
    throw apiErrors.context();
  const { displayName } = asObject(known.packageJSON);
  return { id: known.id.toLowerCase(), name: typeof displayName === 'string' ? displayName : known.id };
}

/** Which extensions may use Parley. The user decides once for each, and can take it back. */
export class ApiAccess {
  /** One dialog after the other. */
  readonly #queue = new OneByOne();
  /** Extensions whose dialog was closed in this window: an extension must not ask until the user gives in. */
  readonly #closed = new Set<string>();

  constructor(private readonly state: vscode.Memento) {}

  /** True while the user's agreement holds. */
  has({ id }: ApiCaller): boolean {
    return this.#answers()[id] === true;
  }

  /** Asks the user unless they have answered before. A closed dialog is a no for this window. */
  request(caller: ApiCaller): Promise<boolean> {
    return this.#queue.run('', async () => {
      const known = this.#answers()[caller.id];
      if (typeof known === 'boolean') return known;
      if (this.#closed.has(caller.id)) return false;
      const [allow, never] = [l10n.t('Allow'), l10n.t('Never Allow')];
      const chosen = await markedWindow.showWarningMessage(
        l10n.t('Allow the extension “{0}” ({1}) to use Parley?', plainText(caller.name, 80), plainText(caller.id, 100)),
        {
          modal: true,
          detail: [
            l10n.t('It can open sessions of its own, send prompts to your agents there, and read their answers.'),
            l10n.t('It cannot answer permission requests, and it does not see your other sessions.'),
            l10n.t('“Parley: Show Permission Rules” lists the extensions, to take this back.'),
          ].join('\n\n'),
        },
        allow,
        never,
      );
      if (chosen === undefined) this.#closed.add(caller.id);
      if (chosen === undefined) return false;
      await this.#remember(caller.id, chosen === allow);
      return chosen === allow;
    });
  }

  /** Asks before an extension adds an agent, once for each command. */
  agreeTo({ id, name }: ApiCaller, { name: agent, command, args = [], env = {} }: ApiAgent): Promise<boolean> {
    return this.#queue.run('', async () => {
      const fingerprint = JSON.stringify([agent, command, args, Object.entries(env).toSorted()]);
      const all = asObject(this.state.get(commandsKey));
      const known = Array.isArray(all[id]) ? (all[id] as readonly unknown[]) : [];
      if (known.includes(fingerprint)) return true;
      const variables = Object.entries(env).map(([variable, value]) => `${variable}=${oneLine(value)}`);
      const detail = [
        l10n.t('Runs: {0}', commandLine(command, args)),
        ...(variables.length === 0 ? [] : [l10n.t('Variables: {0}', variables.join('\n'))]),
        l10n.t('An agent can do anything that you can: read and change files, and run commands.'),
      ].join('\n\n');
      if (detail.length > maxDetail || detail.split('\n').length > 30) return false;
      const add = l10n.t('Add Agent');
      const question = l10n.t('Add the agent {0} of the extension “{1}”?', plainText(agent, 80), plainText(name, 80));
      if ((await markedWindow.showWarningMessage(question, { modal: true, detail }, add)) !== add) return false;
      await this.state.update(commandsKey, { ...all, [id]: [...known.slice(-20), fingerprint] });
      return true;
    });
  }

  /** Lists the extensions that the user has answered for, to change the answers. */
  async choose(): Promise<void> {
    const answers = this.#answers();
    const items = Object.keys(answers)
      .toSorted()
      .map((id) => ({ label: plainText(id, 100), picked: answers[id] === true, id }));
    if (items.length === 0)
      return void markedWindow.showInformationMessage(l10n.t('No extension has asked to use Parley.'));
    const chosen = await markedWindow.showQuickPick(items, {
      canPickMany: true,
      title: l10n.t('Parley: Extensions'),
      placeHolder: l10n.t('Extensions that may use Parley'),
    });
    if (!chosen) return;
    const allowed = new Set(chosen.map(({ id }) => id));
    await this.state.update(accessKey, Object.fromEntries(items.map(({ id }) => [id, allowed.has(id)])));
    const commands = Object.entries(asObject(this.state.get(commandsKey))).filter(([id]) => allowed.has(id));
    await this.state.update(commandsKey, Object.fromEntries(commands));
  }

  #answers(): Readonly<Record<string, unknown>> {
    return asObject(this.state.get(accessKey));
  }

  async #remember(id: string, isAllowed: boolean): Promise<void> {
    await this.state.update(accessKey, { ...this.#answers(), [id]: isAllowed });
  }
}
