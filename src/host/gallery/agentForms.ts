import * as l10n from '@vscode/l10n';
import type { AgentFormValues, AgentFormVariable, AgentFormView, ConnectionTestView } from '../../protocol/agentForm';
import { CancellationSource } from '../../base/cancellation';
import { changeEntry, entryNamed, removeEntry } from '../agents/agentEntries';
import { type AgentSecrets, secretMark } from '../agents/agentSecrets';
import { type AgentConfiguration, decodeAgent, demoAgentName } from '../agents/agentSettings';
import { askAboutCommand } from './askInFull';

export interface AgentFormsOptions {
  readonly agents: () => readonly AgentConfiguration[];
  readonly secrets: AgentSecrets;
  /** An entry with its variables replaced. */
  readonly expand: (entry: object) => unknown;
  /** Starts an agent in its own process, reads its capabilities, and ends it. */
  readonly test: (configuration: AgentConfiguration, token: CancellationSource['token']) => Promise<ConnectionTestView>;
  readonly changed: () => void;
}

type Shown = Omit<AgentFormView, 'values'> & {
  readonly initial: AgentFormValues;
  readonly editing?: string;
  readonly secretsOf?: string;
};

const empty: AgentFormValues = { name: '', command: '', args: [], env: [], cwd: '' };

/** The form for an agent of the user's own: a command, its arguments, variables and folder. */
export class AgentForms {
  #shown: Shown | undefined;
  #drawn: AgentFormView | undefined;
  #typed: AgentFormValues | undefined;
  #count = 0;
  #running: CancellationSource | undefined;
  /** The command that the user agreed to last, in VS Code's dialog. */
  #agreed: string | undefined;

  constructor(private readonly options: AgentFormsOptions) {}

  /** The same object until something in it changes. */
  get view(): AgentFormView | undefined {
    return this.#drawn;
  }

  /** Opens an empty form. */
  add(): void {
    this.#show({ id: ++this.#count, title: l10n.t('Add Agent'), initial: empty });
  }

  /** Opens the form of an entry. @param isCopy opens it as a new one */
  async edit(name: string, isCopy = false): Promise<void> {
    const entry = entryNamed(name);
    if (!entry) return;
    const secrets = await this.options.secrets.of(name);
    const texts = (value: unknown) =>
      Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
    const env = Object.entries((entry['env'] ?? {}) as Record<string, unknown>).map(
      ([variable, value]): AgentFormVariable => ({
        name: variable,
        value: value === secretMark ? '' : String(value),
        isSecret: value === secretMark,
        isKept: value === secretMark && Object.hasOwn(secrets, variable),
      }),
    );
    const initial = {
      name: isCopy ? this.#freeName(name) : name,
      command: String(entry['command'] ?? ''),
      args: texts(entry['args']),
      env,
      cwd: String(entry['cwd'] ?? ''),
    };
    this.#show({
      id: ++this.#count,
      title: isCopy ? l10n.t('Duplicate Agent') : l10n.t('Edit Agent'),
      initial,
      secretsOf: name,
      ...(isCopy ? {} : { editing: name }),
    });
  }

  /** The typed values, for when the panel is shown again. @param values without secrets */
  keep(values: AgentFormValues): void {
    if (!this.#drawn) return;
    this.#typed = values;
    this.#drawn = { ...this.#drawn, values };
  }

  close(): void {
    this.#running?.cancel();
    this.#show(undefined);
  }

  /** Writes the entry, and its secrets into the secret storage. */
  async save(values: AgentFormValues): Promise<void> {
    const form = this.#shown;
    const read = await this.#read(values);
    if (!form || form !== this.#shown) return;
    if (typeof read === 'string') return this.#show({ ...form, problem: read });
    const { name, entry, secrets } = read;
    if (!(await this.#agree('save', form, name, entry))) return;
    await this.options.secrets.set(name, secrets);
    await changeEntry(name, () => entry);
    // Last: if the settings cannot be written, the agent still has its former name.
    if (form.editing !== undefined && form.editing !== name) {
      await removeEntry(form.editing);
      await this.options.secrets.set(form.editing, {});
    }
    this.close();
  }

  /** Forgets the secrets of a removed agent. */
  async forget(name: string): Promise<void> {
    await this.options.secrets.set(name, {});
  }

  /** Tests the values of the form. Stores nothing. */
  async test(values: AgentFormValues): Promise<void> {
    const form = this.#shown;
    const read = await this.#read(values);
    if (!form || form !== this.#shown) return;
    const { problem: _former, ...rest } = form;
    if (typeof read === 'string') return this.#show({ ...rest, problem: read });
    if (!(await this.#agree('test', form, read.name, read.entry))) return;
    this.#running?.cancel();
    const cancel = (this.#running = new CancellationSource());
    const tested: Shown = { ...rest, test: { state: 'running' } };
    this.#show(tested);
    const result = await this.#tried(read.name, read.entry, read.secrets, cancel);
    if (this.#shown === tested) this.#show({ ...tested, test: result });
  }

  /**
   * The panel alone can neither run nor save a command. Consent to the test is also consent to saving the same command.
   */
  async #agree(
    act: 'test' | 'save',
    form: Shown,
    name: string,
    entry: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const what = JSON.stringify([form.editing, name, entry]);
    if (this.#agreed !== what && !(await askAboutCommand(act, name, entry))) return false;
    this.#agreed = what;
    return this.#shown?.id === form.id;
  }

  async #tried(
    name: string,
    entry: Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, string>>,
    cancel: CancellationSource,
  ): Promise<ConnectionTestView> {
    const decoded = decodeAgent(name, this.options.expand(entry));
    if (typeof decoded === 'string') return { state: 'failed', problem: decoded };
    this.options.secrets.use(Object.values(secrets));
    return this.options.test({ ...decoded, env: { ...decoded.env, ...secrets } }, cancel.token);
  }

  /** The configuration from the values. @returns why they are invalid, in words */
  async #read(values: AgentFormValues): Promise<
    | {
        readonly name: string;
        readonly entry: Readonly<Record<string, unknown>>;
        readonly secrets: Readonly<Record<string, string>>;
      }
    | string
  > {
    const name = values.name.trim();
    const { editing, secretsOf } = this.#shown ?? {};
    if (name === '' || name.length > 80) return l10n.t('Enter a name of at most 80 characters.');
    if (name === demoAgentName || (name !== editing && this.options.agents().some((agent) => agent.name === name)))
      return l10n.t('There is already an agent named “{0}”. Enter another name.', name);
    if (values.command.trim() === '') return l10n.t('Enter the command that starts the agent.');
    const variables = values.env.filter((variable) => variable.name.trim() !== '');
    const odd = variables.find((variable) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable.name.trim()));
    if (odd) return l10n.t('“{0}” is not a valid variable name. Use letters, digits and underscores.', odd.name);
    const kept = secretsOf === undefined ? {} : await this.options.secrets.of(secretsOf);
    const secrets: Record<string, string> = {};
    for (const { name: variable, value, isSecret, isKept } of variables) {
      const secret = value !== '' ? value : isKept ? kept[variable.trim()] : undefined;
      if (isSecret && secret === undefined) return l10n.t('Enter a value for {0}.', variable.trim());
      if (isSecret) secrets[variable.trim()] = secret!;
    }
    // Fields without an input in the form stay.
    const {
      command: _command,
      args: _args,
      env: _env,
      cwd: _cwd,
      ...rest
    } = (editing === undefined ? undefined : entryNamed(editing)) ?? {};
    const args = values.args.filter((arg) => arg !== '');
    const cwd = values.cwd.trim();
    const env = Object.fromEntries(
      variables.map((variable) => [variable.name.trim(), variable.isSecret ? secretMark : variable.value]),
    );
    const entry = {
      ...rest,
      command: values.command.trim(),
      ...(args.length === 0 ? {} : { args }),
      ...(variables.length === 0 ? {} : { env }),
      ...(cwd === '' ? {} : { cwd }),
    };
    const decoded = decodeAgent(name, this.options.expand(entry));
    return typeof decoded === 'string' ? decoded : { name, entry, secrets };
  }

  #freeName(name: string): string {
    const isTaken = (other: string) => this.options.agents().some((agent) => agent.name === other);
    for (let number = 2; ; number++) if (!isTaken(`${name} ${number}`)) return `${name} ${number}`;
  }

  #show(form: Shown | undefined): void {
    if (form?.id !== this.#shown?.id) this.#typed = this.#agreed = undefined;
    this.#shown = form;
    if (form) {
      const { initial, editing: _editing, secretsOf: _secretsOf, ...view } = form;
      this.#drawn = { ...view, values: this.#typed ?? initial };
    } else this.#drawn = undefined;
    this.options.changed();
  }
}
