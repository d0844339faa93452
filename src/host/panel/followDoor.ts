import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { FollowAgent } from './followAgent';

/** The way to what follows the agent, whose code is loaded when the user first wants it. */
export class FollowDoor extends Disposable {
  #loading: Promise<FollowAgent> | undefined;
  #follow: FollowAgent | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Following began or ended in a session. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly load: () => Promise<FollowAgent>) {
    super();
  }

  /** In the active session. */
  get isFollowing(): boolean {
    return this.#follow?.isFollowing ?? false;
  }

  follows(sessionId: string): boolean {
    return this.#follow?.follows(sessionId) ?? false;
  }

  async toggle(): Promise<void> {
    (await this.#loaded()).toggle();
  }

  #loaded(): Promise<FollowAgent> {
    this.#loading ??= this.load().then((follow) => {
      this.#follow = this.register(follow);
      this.register(follow.onDidChange(() => this.#changeEmitter.fire()));
      return follow;
    });
    return this.#loading;
  }
}
