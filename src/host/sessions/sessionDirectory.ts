import type { Session } from '../../thread/session';
import { lastTurn } from '../../thread/threadTurns';
import type { SessionScope } from '../platform/sessionScope';
import { ChatViews } from './chatViews';
import type { LiveSession } from './liveSession';

/**
 * The sessions that are open, by our own id. `OpenSessions` fills it; what serves sessions looks them up here, and so
 * needs no service that is built on it.
 */
export class SessionDirectory {
  /** In the order in which they were shown. */
  readonly live = new Map<string, LiveSession>();
  readonly views = new ChatViews();

  /** The session of the view that was used last. @throws Error before there is one */
  get active(): LiveSession {
    return this.views.active.session;
  }

  find(id: string): LiveSession | undefined {
    return this.live.get(id);
  }

  /** Scope of a session, for `fs/*` and `terminal/*`. */
  readonly scope = (id: string): SessionScope | undefined => {
    const found = this.live.get(id);
    return found && { sessionId: id, agent: found.agent, cwd: found.cwd, roots: found.roots };
  };

  /** The entry with which the last turn of a session began. */
  readonly turnOf = (id: string): string | undefined => {
    const found = this.live.get(id);
    return found && lastTurn(found.session.thread);
  };

  /** The session that shows what an agent asks beside any session, or while one is being opened. */
  homeOf(agent: string): Session | undefined {
    const all = [...this.live.values()].reverse();
    const shown = this.views.all.toReversed().flatMap((view) => all.filter((item) => view.shows(item.id)));
    const candidates = [...shown, ...all].filter((item) => item.agent === agent);
    return (
      candidates.find((item) => item.signIn.view) ??
      candidates.find((item) => item.connection.view.state === 'starting') ??
      candidates[0]
    )?.session;
  }
}
