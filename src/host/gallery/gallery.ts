import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { CancellationSource } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { InstallFailure } from '../../node/installFailure';
import type { GalleryAct, GalleryView } from '../../protocol/galleryView';
import { consentFacts } from '../../registry/consent';
import { inVersion, specOf } from '../../registry/packageNames';
import { asObject } from '../../base/decode';
import { changeEntry, removeEntry } from '../agents/agentEntries';
import type { AgentPrograms } from '../agents/agentPrograms';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { BuiltInAgent } from '../agents/catalogue';
import { installWords, progressWords } from '../agents/installWords';
import type { AgentChoice } from '../agents/pickAgent';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { openSetting } from '../platform/settingsEditor';
import { writeEntry } from './agentEntry';
import type { AgentForms } from './agentForms';
import { askToRemove, pickAct, rowActs } from './galleryMenu';
import { type AgentOffer, type GalleryAgent, galleryAgents, GalleryIcons } from './galleryAgents';
import { type GallerySessions, SessionsSeen } from './gallerySessions';
import { KeptVersions } from './keptVersions';
import { agreeToInstall, assumedMachine, type Desk, readMachine, removeUnusedRuntimes } from './galleryMachine';
import { type RowFacts, projectAgent, rowProgress } from './projectAgent';
import type { RegistrySource } from './registrySource';

/** Where the agents of the gallery come from. */
export interface AgentOrigins {
  readonly agents: () => readonly AgentConfiguration[];
  readonly catalogue: readonly BuiltInAgent[];
  /** Icons of the built-in agents by name, for those without one in the index. */
  readonly builtInIcons: () => Promise<Readonly<Record<string, string>>>;
  readonly registry: RegistrySource;
}

export interface GalleryOptions {
  readonly origins: AgentOrigins;
  readonly programs: () => Promise<AgentPrograms>;
  readonly sessions: GallerySessions;
  /** Outlives the window. */
  readonly state: vscode.Memento;
  readonly isTrusted: () => boolean;
  /** @param changed is called when the form has changed */
  readonly forms: (changed: () => void) => AgentForms;
  readonly log: Logger;
}

/** The current work in one row. */
interface Running {
  /** The installation that the user agreed to last. */
  readonly offered?: AgentOffer;
  readonly cancel?: CancellationSource;
  readonly progress?: string;
  readonly part?: number;
  readonly problem?: string;
}

/** The gallery of agents and the actions in it. It starts and installs nothing by itself. */
export class Gallery extends Disposable {
  #isOpen = false;
  #shown: GalleryView | undefined;
  #list: readonly GalleryAgent[] = [];
  #machine = assumedMachine;
  #facts: ReadonlyMap<string, Pick<RowFacts, 'installed' | 'previous'>> = new Map();
  readonly #running = new Map<string, Running>();
  /** A question about an installation is open. */
  #asked = false;
  /** The latest read. */
  #newest = Promise.resolve();
  readonly #icons: GalleryIcons;
  readonly #kept: KeptVersions;
  /** The form of an agent of the user's own. */
  readonly forms: AgentForms;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** The view has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: GalleryOptions) {
    super();
    const { registry, builtInIcons } = options.origins;
    this.#icons = new GalleryIcons(builtInIcons);
    this.#kept = new KeptVersions(options.state);
    this.forms = options.forms(() => this.#project());
    this.register(registry);
    this.register(registry.onDidChange(() => void this.#read()));
    this.register(
      new SessionsSeen(
        options.sessions,
        () => (this.#isOpen ? this.#list : []),
        () => this.#project(),
      ),
    );
  }

  /** The same object until its content changes; undefined while the gallery is closed. */
  get view(): GalleryView | undefined {
    return this.#shown;
  }

  /** Icons by key of the agents, as `RegistrySource.icons`. The same object until another one arrives. */
  get icons(): Readonly<Record<string, string>> {
    return this.#icons.byKey;
  }

  /** The same by name of the agent, for the list of sessions. */
  get iconsByAgent(): Readonly<Record<string, string>> {
    return this.#icons.byName;
  }

  /** The agents that a session can be started with, as the gallery shows them. Contacts no server. */
  async choices(): Promise<readonly AgentChoice[]> {
    await this.#read();
    await this.#newest;
    return this.#list
      .filter(({ configuration }) => configuration)
      .map((agent) => ({ agent: projectAgent(agent, this.#factsOf(agent)), icon: this.#icons.byKey[agent.key] }));
  }

  /**
   * @param key of an agent that the user wants to set up. The question comes before the list, which would take the
   *   focus from it; a user who declines stays where they are.
   */
  async open(key?: string): Promise<void> {
    if (key !== undefined && !this.#isOpen) await this.#read();
    const agent = key === undefined ? undefined : this.#agent(key);
    const isNew = agent?.offered !== undefined && this.#facts.get(agent.key)?.installed === undefined;
    // An installation that runs is shown in the list.
    const asks = isNew && this.options.isTrusted() && !this.#running.get(agent.key)?.cancel;
    const install = asks ? await this.#ask(agent) : undefined;
    if (asks && !install) return;
    this.#isOpen = true;
    for (const [name, { cancel }] of this.#running) if (!cancel) this.#running.delete(name);
    await this.#read();
    void install?.();
    await Promise.all([this.#readMachine(), this.options.origins.registry.load()]);
    // The index has just reported its agents.
    await this.#newest;
  }

  close(): void {
    this.#isOpen = false;
    this.options.origins.registry.stop();
    this.forms.close();
    this.#project();
  }

  /** Agents or their settings have changed. */
  async settingsChanged(): Promise<void> {
    if (this.#isOpen) await this.#read();
  }

  /** Runs a row's button. An unknown key, an act that is no longer offered, and an act of the menu have no effect. */
  async act(key: string, act: GalleryAct): Promise<void> {
    // Its first start would install it.
    const isInstall =
      act === 'use' &&
      this.#agent(key)?.offered !== undefined &&
      this.#agent(key)?.configuration?.source !== undefined &&
      this.#facts.get(key)?.installed === undefined;
    if (rowActs.has(act)) await this.#carryOut(key, isInstall ? 'install' : act);
  }

  async #carryOut(key: string, act: GalleryAct): Promise<void> {
    const agent = this.#agent(key);
    if (!agent) return;
    const { sessions } = this.options;
    switch (act) {
      case 'use':
        if (!agent.configuration) return;
        this.close();
        return sessions.use(agent.name);
      case 'signIn':
        this.close();
        return sessions.signIn(agent.name);
      case 'install':
      case 'update':
        return (await this.#ask(agent))?.();
      case 'retry':
        return this.#retry(agent);
      case 'cancel':
        return this.#cancel(key);
      case 'goBack':
        return this.#goBack(agent);
      case 'pin':
      case 'unpin':
        await this.#kept.setPinned(agent.name, act === 'pin');
        return this.#project();
      case 'edit':
        return agent.kind === 'custom' && agent.configuration?.source === undefined
          ? this.forms.edit(agent.name)
          : openSetting('parley.agents');
      case 'duplicate':
        return this.forms.edit(agent.name, true);
      case 'remove':
        return this.#remove(agent);
      case 'menu': {
        const chosen = await pickAct(agent, this.#factsOf(agent));
        return chosen && this.#carryOut(key, chosen);
      }
    }
  }

  /** @returns installs exactly the version that the user agreed to, even if the index changes meanwhile */
  async #ask(agent: GalleryAgent): Promise<(() => Promise<void>) | undefined> {
    const { offered } = agent;
    if (!offered || this.#asked || !this.options.isTrusted() || this.#running.get(agent.key)?.cancel) return undefined;
    this.#asked = true;
    const { programs, log } = this.options;
    const isUpdate = this.#factsOf(agent).installed !== undefined;
    const agreed = await agreeToInstall(programs, agent.name, offered, isUpdate, log).finally(
      () => (this.#asked = false),
    );
    return agreed && this.options.isTrusted() ? () => this.#install(agent, offered, agreed.toRuntime) : undefined;
  }

  async #retry(agent: GalleryAgent): Promise<void> {
    const { offered, cancel } = this.#running.get(agent.key) ?? {};
    if (cancel || (offered && !this.options.isTrusted())) return;
    // Consent is for the shown offer; any other one is asked for again.
    if (offered && agent.offered && fingerprintOf(offered) === fingerprintOf(agent.offered))
      return this.#install(agent, offered, false);
    if (offered) return (await this.#ask(agent))?.();
    return this.#carryOut(agent.key, 'use');
  }

  #cancel(key: string): void {
    const { cancel } = this.#running.get(key) ?? {};
    if (cancel) cancel.cancel();
    else this.#set(key, undefined);
  }

  /** @param mayDownloadRuntime the user agreed to that, too */
  async #install(agent: GalleryAgent, offered: AgentOffer, mayDownloadRuntime: boolean): Promise<void> {
    const { key, name } = agent;
    const { item } = offered;
    await this.#during(agent, offered, async (installer, surroundings, cancel, pinned) => {
      await installer.install(item, {
        name,
        surroundings,
        token: cancel.token,
        mayDownloadRuntime,
        onProgress: (step) => {
          const { progress, part } = rowProgress(step, item);
          const before = this.#running.get(key);
          if (before?.progress !== progress || before.part !== part)
            this.#set(key, { offered, cancel, progress, ...(part === undefined ? {} : { part }) });
        },
      });
      // It may be another program of an installed package.
      await installer.store.programOf(item);
      const former = agent.configuration;
      if (agent.kind === 'listed' && agent.id !== undefined) {
        if (former) await this.#kept.keep(name, former);
        const written = await writeEntry(agent.id, name, offered);
        // Keys that were given to another agent of this name, or to another source, must not go to this one.
        if (!written.isSameSource) await this.forms.forget(written.name);
      }
      await installer.store.choose(item, pinned);
      this.#sayWhen(name, offered.version);
    });
  }

  /** A running agent keeps its version until it is started again. */
  #sayWhen(name: string, version: string): void {
    if (this.options.sessions.isRunning(name))
      void markedWindow.showInformationMessage(
        plainText(l10n.t('{0} {1} is installed. Parley uses it the next time the agent starts.', name, version), 300),
      );
  }

  async #goBack(agent: GalleryAgent): Promise<void> {
    const { previous } = this.#factsOf(agent);
    const source = agent.configuration?.source;
    if (previous === undefined || !source || !this.options.isTrusted()) return;
    const earlier = this.#kept.entryOf(agent.name, previous);
    await this.#during(agent, undefined, async (installer, surroundings, cancel, pinned) => {
      const item = inVersion(source, previous);
      if (source.pinned) {
        await this.#kept.keep(agent.name, agent.configuration!);
        await changeEntry(
          agent.name,
          (entry) =>
            (earlier && asObject(earlier)['registry'] === entry['registry'] ? earlier : undefined) ??
            (source.manager === 'archive' ? entry : { ...entry, [source.manager]: specOf(item) }),
        );
      } else
        await installer.install(item, {
          name: agent.name,
          surroundings,
          token: cancel.token,
          onProgress: (progress) => this.#set(agent.key, { cancel, progress: progressWords(progress, item) }),
        });
      await installer.store.choose(item, pinned);
      // The user left the newer version for a reason.
      await this.#kept.setPinned(agent.name, true);
      this.#sayWhen(agent.name, previous);
    });
  }

  async #remove(agent: GalleryAgent): Promise<void> {
    const { name, kind, configuration } = agent;
    if (!configuration || kind === 'demo' || !(await askToRemove(agent))) return;
    await this.options.sessions.stop(name);
    await this.#during(agent, undefined, async (installer) => {
      if (kind !== 'builtIn') await removeEntry(name);
      await this.forms.forget(name);
      const others = this.options.origins
        .agents()
        .some((other) => other.name !== name && other.source?.key === configuration.source?.key);
      if (configuration.source && !others) await installer.store.removeAll(configuration.source.key);
      await removeUnusedRuntimes(await this.options.programs(), installer, this.options.origins.agents());
      await this.#kept.forget(name);
    });
  }

  /** Runs one piece of work for a row's agent at a time, and shows in the row why it failed. */
  async #during(
    agent: GalleryAgent,
    offered: AgentOffer | undefined,
    act: (
      installer: Desk['installer'],
      surroundings: Desk['surroundings'],
      cancel: CancellationSource,
      pinned: readonly string[],
    ) => Promise<void>,
  ): Promise<void> {
    const { key, name } = agent;
    if (this.#running.get(key)?.cancel) return;
    const cancel = new CancellationSource();
    const kept = offered ? { offered } : {};
    this.#set(key, { ...kept, cancel, progress: l10n.t('Preparing') });
    let root = '';
    try {
      const programs = await this.options.programs();
      const { installer, surroundings } = await programs.desk();
      root = installer.store.root;
      await act(
        installer,
        surroundings,
        cancel,
        agent.configuration?.source ? programs.pinnedVersions(agent.configuration.source.key) : [],
      );
      this.#running.delete(key);
    } catch (error) {
      const { problem } = InstallFailure.of(error);
      this.options.log.warn(`${name}: ${String(error)}`);
      const { title, detail } = installWords(problem, name, offered ? specOf(offered.item) : name, root);
      if (problem.kind === 'cancelled') this.#running.delete(key);
      else this.#running.set(key, { ...kept, problem: detail || title });
    }
    await this.#read();
  }

  /** Looks for package managers. That may ask the user's shell for its PATH, so not in Restricted Mode. */
  async #readMachine(): Promise<void> {
    if (!this.options.isTrusted()) return;
    this.#machine = await readMachine(await (await this.options.programs()).desk());
    await this.#read();
  }

  /** Reads the installed agents, and shows them. */
  #read(): Promise<void> {
    const reading: Promise<void> = (this.#newest = this.#readThen(() => reading === this.#newest));
    return reading;
  }

  /** @param isNewest whether no later read has begun, which would be newer */
  async #readThen(isNewest: () => boolean): Promise<void> {
    const { agents, catalogue, registry } = this.options.origins;
    const list = galleryAgents({
      agents: agents(),
      catalogue,
      listed: registry.agents,
      index: registry.address,
      machine: this.#machine,
    });
    const [programs, builtIn] = await Promise.all([this.options.programs(), this.#icons.builtIn()]);
    const facts = await Promise.all(
      list.map(async ({ key, name, configuration }) => {
        const source = configuration?.source;
        if (!source) return [key, {}] as const;
        const [installed, record] = await Promise.all([programs.versionOf(source), programs.recordOf(source)]);
        const previous =
          source.manager === 'archive' && record?.previous !== undefined && !this.#kept.entryOf(name, record.previous)
            ? undefined
            : record?.previous;
        return [
          key,
          { ...(installed === undefined ? {} : { installed }), ...(previous === undefined ? {} : { previous }) },
        ] as const;
      }),
    );
    if (!isNewest()) return;
    this.#list = list;
    this.#facts = new Map(facts);
    this.#icons.draw(list, registry.icons, builtIn);
    this.#project();
  }

  #factsOf(agent: GalleryAgent): RowFacts {
    const { sessions, isTrusted } = this.options;
    const { cancel, progress, part, problem } = this.#running.get(agent.key) ?? {};
    const { wantsSignIn, failure } = agent.configuration ? sessions.stateOf(agent.name) : { wantsSignIn: false };
    const words = problem ?? failure;
    return {
      ...this.#facts.get(agent.key),
      machine: this.#machine,
      isTrusted: isTrusted(),
      isCurrent: agent.configuration !== undefined && sessions.current() === agent.name,
      isPinned: this.#kept.isPinned(agent.name),
      isInstalling: cancel !== undefined,
      wantsSignIn,
      ...(words === undefined ? {} : { problem: words }),
      ...(progress === undefined ? {} : { progress }),
      ...(part === undefined ? {} : { part }),
    };
  }

  #project(): void {
    const before = this.#shown;
    const { origins, isTrusted } = this.options;
    const { registry } = origins;
    const next: GalleryView | undefined = this.#isOpen
      ? {
          agents: this.#list.map((agent) => projectAgent(agent, this.#factsOf(agent))),
          loading: registry.isLoading,
          isRestricted: !isTrusted(),
          ...(registry.problem === undefined ? {} : { problem: registry.problem }),
          ...(this.forms.view ? { form: this.forms.view } : {}),
        }
      : undefined;
    if (JSON.stringify(before) === JSON.stringify(next)) {
      if (this.#isOpen) this.#changeEmitter.fire();
      return;
    }
    this.#shown = next;
    this.#changeEmitter.fire();
  }

  #set(key: string, running: Running | undefined): void {
    if (running) this.#running.set(key, running);
    else this.#running.delete(key);
    this.#project();
  }

  #agent(key: string): GalleryAgent | undefined {
    return this.#list.find((agent) => agent.key === key);
  }

  override dispose(): void {
    for (const { cancel } of this.#running.values()) cancel?.cancel();
    super.dispose();
  }
}

function fingerprintOf({ offer, version, from }: AgentOffer): string {
  return consentFacts(offer, version, from).fingerprint;
}
