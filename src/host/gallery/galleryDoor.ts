import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { GalleryAct, GalleryView } from '../../protocol/galleryView';
import type { FromWebview } from '../../protocol/fromWebview';
import type { AgentChoice } from '../agents/pickAgent';
import type { Gallery } from './gallery';

/** The gallery as other parts see it; its code is loaded when it is first opened. */
export class GalleryDoor extends Disposable {
  #loading: Promise<Gallery> | undefined;
  #gallery: Gallery | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** The gallery's view has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly load: () => Promise<Gallery>) {
    super();
  }

  /** Undefined while it is closed. */
  get view(): GalleryView | undefined {
    return this.#gallery?.view;
  }

  get icons(): Readonly<Record<string, string>> | undefined {
    return this.#gallery?.icons;
  }

  /** Downloaded icons by name of the agent. */
  get iconsByAgent(): Readonly<Record<string, string>> | undefined {
    return this.#gallery?.iconsByAgent;
  }

  /** @param key of an agent to set up */
  async open(key?: string): Promise<void> {
    await (await this.#loaded()).open(key);
  }

  /** The agents that a session can be started with. */
  async choices(): Promise<readonly AgentChoice[]> {
    return (await this.#loaded()).choices();
  }

  close(): void {
    this.#gallery?.close();
  }

  async act(key: string, act: GalleryAct): Promise<void> {
    await this.#gallery?.act(key, act);
  }

  /** Handles a message of an agent's form. */
  async form(message: Extract<FromWebview, { type: `agentForm/${string}` }>): Promise<void> {
    const forms = this.#gallery?.forms;
    if (message.type === 'agentForm/open') forms?.add();
    else if (!('values' in message)) forms?.close();
    else if (message.type === 'agentForm/draft') forms?.keep(message.values);
    else if (message.type === 'agentForm/save') await forms?.save(message.values);
    else await forms?.test(message.values);
  }

  /** The settings of agents have changed. */
  settingsChanged(): void {
    void this.#gallery?.settingsChanged();
  }

  #loaded(): Promise<Gallery> {
    this.#loading ??= this.load().then((gallery) => {
      this.#gallery = this.register(gallery);
      this.register(gallery.onDidChange(() => this.#changeEmitter.fire()));
      return gallery;
    });
    return this.#loading;
  }
}
