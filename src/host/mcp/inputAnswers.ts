import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CancellationToken, neverCancelled } from '../../base/cancellation';
import type { IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { KnownServer } from './knownServer';
import { type InputDefinition, isSecret } from './serverInputs';

/**
 * The user's answers to the inputs of servers. Each belongs to one server, so that another one cannot get it by asking
 * under the same id. Secrets are stored in VS Code's secret storage, other answers in the workspace's state.
 */
export class InputAnswers {
  /** One question at a time, also if several sessions open at once. */
  #asking: Promise<unknown> = Promise.resolve();

  /** @param used gets the secrets that an agent may have learnt since the window opened; logs must not contain them */
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly state: vscode.Memento,
    private readonly used: Set<string>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /**
   * The stored answer, or the one that the user gives now.
   * @param waitFor called when the user is asked; disposed after their answer
   * @returns undefined if they give none.
   */
  async answer(
    server: KnownServer,
    input: InputDefinition,
    token: CancellationToken,
    waitFor: (title: string) => IDisposable,
  ): Promise<string | undefined> {
    const answered = this.#asking.then(async () => {
      // A session opens also while the secret storage fails, so the user may be asked once more.
      let answer = await this.#kept(server, input).catch((error: unknown) => this.#failed(error));
      if (answer === undefined && !token.isCancellationRequested) {
        const wait = waitFor(titleFor(server.name));
        answer = (await ask(server.name, input, token).finally(() => wait.dispose())) || undefined;
        if (answer !== undefined)
          await this.#keep(server, input, answer).catch((error: unknown) => this.#failed(error));
      }
      if (answer !== undefined && isSecret(input)) this.used.add(answer);
      return answer;
    });
    this.#asking = answered.catch(() => undefined);
    return answered;
  }

  /**
   * Asks for all answers of a server again.
   * @returns false if the user cancelled before the last one; the given ones are stored.
   */
  async askAgain(server: KnownServer): Promise<boolean> {
    for (const input of server.inputs) {
      const given = await ask(server.name, input, neverCancelled);
      if (!given) return false;
      await this.#keep(server, input, given);
    }
    return true;
  }

  /** Forgets the answers for a server. */
  async forget(server: KnownServer): Promise<void> {
    for (const input of server.inputs) {
      await this.secrets.delete(keyOf(server, input));
      await this.state.update(keyOf(server, input), undefined);
    }
  }

  #failed(error: unknown): undefined {
    this.log.warn(`VS Code's storage of answers for MCP servers failed: ${String(error)}`);
    return undefined;
  }

  async #kept(server: KnownServer, input: InputDefinition): Promise<string | undefined> {
    const key = keyOf(server, input);
    if (isSecret(input)) return this.secrets.get(key);
    const kept = this.state.get<unknown>(key);
    return typeof kept === 'string' ? kept : undefined;
  }

  async #keep(server: KnownServer, input: InputDefinition, value: string): Promise<void> {
    if (isSecret(input)) await this.secrets.store(keyOf(server, input), value);
    else await this.state.update(keyOf(server, input), value);
  }
}

function keyOf({ key }: KnownServer, { id }: InputDefinition): string {
  return `parley.mcp.input.${JSON.stringify([key, id])}`;
}

function titleFor(serverName: string): string {
  return l10n.t('Parley: MCP Server {0}', plainText(serverName));
}

async function ask(serverName: string, input: InputDefinition, token: CancellationToken): Promise<string | undefined> {
  const title = titleFor(serverName);
  const words = plainText(input.type === 'refused' ? input.id : (input.description ?? input.id), 500);
  const source = new vscode.CancellationTokenSource();
  const subscription = token.onCancellationRequested(() => source.cancel());
  try {
    if (input.type === 'pickString') {
      const items = input.options.map(({ label, value }) => ({
        label: plainText(label),
        description:
          value === input.default
            ? l10n.t({ message: 'default', comment: ['Beside the suggested answer in a list.'] })
            : '',
        value,
      }));
      return (
        await markedWindow.showQuickPick(items, { title, placeHolder: words, ignoreFocusOut: true }, source.token)
      )?.value;
    }
    if (input.type === 'refused') return undefined;
    const prompt = input.password ? l10n.t('{0}. VS Code keeps your answer in its secret storage.', words) : words;
    return await markedWindow.showInputBox(
      { title, prompt, password: input.password, value: input.default ?? '', ignoreFocusOut: true },
      source.token,
    );
  } finally {
    subscription.dispose();
    source.dispose();
  }
}
