import { floodChunks } from '../floodText';
import type { Turn } from '../turn';

const most = 200_000;

/** Streams as many chunks as asked for, as fast as the pipe takes them. */
export async function flood(turn: Turn): Promise<void> {
  const asked = Number.parseInt(turn.args, 10);
  const count = Number.isNaN(asked) ? 2000 : Math.min(Math.max(asked, 1), most);
  let sent = 0;
  for (const text of floodChunks(count)) {
    turn.show({ type: 'text', text });
    // Now and then the event loop has to turn, or a cancel could not be read.
    if (++sent % 100 === 0) {
      await turn.session.peer.drained();
      await new Promise(setImmediate);
      turn.signal.throwIfAborted();
    }
  }
}
