import { Disposable } from '../../base/lifecycle';
import type { GalleryAgent } from './galleryAgents';

/** The parts of the sessions that the gallery needs. */
export interface GallerySessions {
  readonly onDidChange: (listener: () => void) => { dispose(): void };
  /** The agent of the shown session. */
  current(): string;
  /** An agent waits for a sign-in, or could not be started, with the reason. */
  stateOf(name: string): { readonly wantsSignIn: boolean; readonly failure?: string };
  use(name: string): Promise<void>;
  signIn(name: string): Promise<void>;
  isRunning(name: string): boolean;
  /** Ends its process, if one runs. */
  stop(name: string): Promise<void>;
}

/**
 * Reports changes of sessions that affect rows of the gallery. Sessions themselves change with each word of an agent.
 */
export class SessionsSeen extends Disposable {
  #seen: string | undefined;

  /** @param rows none while the gallery is closed */
  constructor(sessions: GallerySessions, rows: () => readonly GalleryAgent[], changed: () => void) {
    super();
    this.register(
      sessions.onDidChange(() => {
        const before = this.#seen;
        this.#seen = JSON.stringify([
          sessions.current(),
          rows().map(({ name, configuration }) => configuration && sessions.stateOf(name)),
        ]);
        if (this.#seen !== before) changed();
      }),
    );
  }
}
