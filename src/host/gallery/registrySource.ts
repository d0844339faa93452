import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CancellationSource } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { fetchIcon, fetchIndex, IndexCache, type StoredIndex } from '../../node/indexCache';
import { InstallFailure } from '../../node/installFailure';
import { webAddress } from '../../node/webRequest';
import { type RegistryAgent, decodeIndex } from '../../registry/decodeIndex';
import { isDrawableIcon } from '../../registry/drawableIcon';
import { downloadWords } from '../agents/installWords';

export interface RegistrySourceOptions {
  /** The setting `parley.registry.url`; "" for no index. */
  readonly address: () => string;
  /** The path of the copy, absolute. */
  readonly file: string;
  readonly now: () => number;
  readonly log: Logger;
  /** See `WebRequestOptions`. */
  readonly idleMs?: number;
}

/** The number of simultaneous icon downloads, and of all. */
const iconsAtOnce = 4;
const maxIcons = 128;

/** The index of agents: requested when the gallery opens, and never otherwise. */
export class RegistrySource extends Disposable {
  #list: readonly RegistryAgent[] = [];
  /** The address of the index whose agents and icons these are. */
  #from: string | undefined;
  #drawn: Readonly<Record<string, string>> = {};
  /** By address; "" for icons that are not drawn. */
  readonly #iconOf = new Map<string, string>();
  #cancel: CancellationSource | undefined;
  #trouble: string | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());

  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: RegistrySourceOptions) {
    super();
  }

  get agents(): readonly RegistryAgent[] {
    return this.#list;
  }

  /** By id of the agent: SVG in base64. The same object until another one arrives. */
  get icons(): Readonly<Record<string, string>> {
    return this.#drawn;
  }

  get isLoading(): boolean {
    return this.#cancel !== undefined;
  }

  /** Why the index is missing or outdated, in words. */
  get problem(): string | undefined {
    return this.#trouble;
  }

  /** The base of relative addresses in the index. */
  get address(): URL | undefined {
    return webAddress(this.options.address());
  }

  /** Shows the stored copy, and requests a newer one. Never throws. */
  async load(): Promise<void> {
    this.stop();
    const { address } = this;
    this.#trouble = undefined;
    // An index answers only for its own agents.
    if (address?.href !== this.#from) {
      this.#from = address?.href;
      this.#list = [];
      this.#drawn = {};
    }
    if (address) await this.#loadFrom(address);
    else if (this.options.address().trim() !== '')
      this.#trouble = l10n.t('The parley.registry.url setting must be an https address.');
    this.#changeEmitter.fire();
  }

  /** The gallery was closed. */
  stop(): void {
    this.#cancel?.cancel();
    this.#cancel = undefined;
  }

  async #loadFrom(address: URL): Promise<void> {
    const { file, now, log, idleMs } = this.options;
    const cache = new IndexCache(file);
    const cancel = (this.#cancel = new CancellationSource());
    this.#changeEmitter.fire();
    const read = await cache.read(address.href);
    // The user may have chosen another index.
    if (cancel.token.isCancellationRequested) return;
    const known = read === 'broken' || !this.#take(read) ? undefined : read;
    if (read !== undefined && known === undefined) log.warn('The stored list of agents is damaged and was ignored');
    if (known) this.#changeEmitter.fire();
    try {
      const index = await fetchIndex(address, known, now(), {
        token: cancel.token,
        ...(idleMs === undefined ? {} : { idleMs }),
      });
      if (cancel.token.isCancellationRequested) return;
      if (!this.#take(index)) throw new Error(l10n.t('{0} did not send a list of agents.', address.host));
      await cache
        .write(index)
        .catch((error: unknown) => log.warn(`The list of agents was not stored: ${String(error)}`));
      if (cancel.token.isCancellationRequested) return;
      this.#cancel = undefined;
      this.#changeEmitter.fire();
      this.#cancel = cancel;
      await this.#loadIcons(address, cancel);
    } catch (error) {
      if (cancel.token.isCancellationRequested) return;
      log.warn(`The list of agents was not downloaded: ${String(error)}`);
      const { problem } = InstallFailure.of(error);
      const words =
        problem.kind === 'download'
          ? downloadWords(problem.trouble, problem.host, problem.status)
          : error instanceof Error
            ? error.message
            : String(error);
      const rest = known
        ? l10n.t(
            'This list is from {0}.',
            new Date(known.checkedAt).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' }),
          )
        : read === undefined
          ? l10n.t('The list shows only agents that Parley knows.')
          : l10n.t('The stored list is damaged, so the list shows only agents that Parley knows.');
      this.#trouble = `${words} ${rest}`;
    } finally {
      if (this.#cancel === cancel) this.#cancel = undefined;
    }
  }

  /** @returns whether the text is an index */
  #take(index: StoredIndex | undefined): boolean {
    if (!index) return false;
    let decoded: ReturnType<typeof decodeIndex>;
    try {
      decoded = decodeIndex(JSON.parse(index.text));
    } catch {
      return false;
    }
    if (!decoded) return false;
    for (const line of decoded.skipped) this.options.log.debug(`Index of agents: skipped ${line}`);
    this.#list = decoded.agents;
    return true;
  }

  async #loadIcons(address: URL, { token }: CancellationSource): Promise<void> {
    // The user did not request icons, so only the server of the chosen index is contacted.
    const addresses = new Map(
      this.#list
        .flatMap(({ icon }) => (icon === undefined ? [] : (webAddress(icon, address) ?? [])))
        .filter(({ origin }) => origin === address.origin)
        .map((icon) => [icon.href, icon]),
    );
    const open = [...addresses.values()].slice(0, maxIcons).filter(({ href }) => !this.#iconOf.has(href));
    const work = async () => {
      for (let icon = open.shift(); icon !== undefined && !token.isCancellationRequested; icon = open.shift()) {
        const text = await fetchIcon(icon, { token, origin: address.origin }).catch((error: unknown) => {
          this.options.log.debug(`The icon ${icon!.href} was not downloaded: ${String(error)}`);
          return '';
        });
        if (!token.isCancellationRequested)
          this.#iconOf.set(icon.href, isDrawableIcon(text) ? Buffer.from(text).toString('base64') : '');
      }
    };
    await Promise.all(Array.from({ length: iconsAtOnce }, work));
    if (address.href !== this.#from) return;
    const found = this.#list.map(
      ({ id, icon }) =>
        [id, icon === undefined ? '' : (this.#iconOf.get(webAddress(icon, address)?.href ?? '') ?? '')] as const,
    );
    this.#drawn = Object.fromEntries(found.filter(([, text]) => text !== ''));
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }
}
