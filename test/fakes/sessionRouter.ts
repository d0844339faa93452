import { silentLogger } from '../../src/base/log';
import { SessionRouter } from '../../src/host/sessions/sessionRouter';

/** A router whose agents may not ask for files and terminals. */
export function sessionRouter(): SessionRouter {
  const refuse = () => Promise.reject(new Error('unused'));
  return new SessionRouter(
    { readTextFile: refuse, writeTextFile: refuse },
    {
      createTerminal: refuse,
      terminalOutput: refuse,
      waitForTerminalExit: refuse,
      killTerminal: refuse,
      releaseTerminal: refuse,
    },
    silentLogger,
  );
}
