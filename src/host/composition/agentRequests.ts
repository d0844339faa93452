import path from 'node:path';
import { Later, methodsOf } from '../../base/later';
import { userEnvironment } from '../../node/environment';
import { terminalVariables } from '../agents/agentSettings';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import type { SessionIndex } from '../sessions/sessionIndex';
import { SessionRouter } from '../sessions/sessionRouter';
import { FileState } from '../storage/fileState';
import { BackgroundWork } from '../terminals/backgroundWork';
import type { Worktrees } from '../worktrees/worktrees';
import { portOf } from '../worktrees/worktree';
import type { Basis } from './basis';
import type { Changes } from './changes';

export type AgentRequests = ReturnType<typeof createAgentRequests>;

/**
 * What agents may ask of the editor: files, terminals and permissions, each for the session that is named. All of it is
 * loaded with the first such request.
 */
export function createAgentRequests(
  { own, context, clock, log, storage, watchdog }: Basis,
  sessions: SessionDirectory,
  index: SessionIndex,
  { service: review, guards }: Pick<Changes, 'service' | 'guards'>,
  worktrees: Worktrees,
) {
  const { scope: scopes } = sessions;
  const files = own(
    new Later(async () => {
      const [{ WorkspaceFiles }, { askOutside }] = await Promise.all([
        import('../files/workspaceFiles'),
        import('../files/outsideWorkspaceRequest'),
      ]);
      return new WorkspaceFiles({
        scopes,
        writer: review,
        log,
        askOutside: async (scope, file, access, token) => {
          const session = sessions.find(scope.sessionId)?.session;
          return session !== undefined && askOutside(session, file, access, token);
        },
        warn: ({ sessionId }, title, detail) =>
          sessions.find(sessionId)?.session.notify({ severity: 'warning', title, detail }),
        missingFileReads: (scope) =>
          sessions.find(scope.sessionId)?.runningAgent?.quirks.missingFileReadsEmpty ? 'empty' : 'error',
      });
    }),
  );
  const native = own(new Later(async () => new (await import('../terminals/agentTerminal')).AgentTerminals()));
  const terminals = own(
    new Later(async () => {
      const { TerminalService } = await import('../terminals/terminalService');
      const service = new TerminalService({
        scopes,
        clock,
        log,
        environment: userEnvironment,
        variables: (cwd) => ({ ...portOf(worktrees.at(cwd)), ...terminalVariables() }),
        watchdog,
        backend: async () => (await import('../../node/pty')).loadPtyBackend(context.extensionPath),
      });
      service.onDidWantToSee((mirror) => void native.get().then((opened) => opened.show(mirror)));
      return service;
    }),
  );
  const background = own(new BackgroundWork(terminals));
  const history = own(
    new Later(async () => {
      const { PermissionHistory } = await import('../permissions/permissionHistory');
      const file = path.join(storage.folder, 'permissions.json');
      return new PermissionHistory(own(new FileState({ file, what: 'answers', clock, log, trouble: storage.trouble })));
    }),
  );
  const rules = own(
    new Later(async () => new (await import('../permissions/ruleSettings')).RuleSettings(context.globalState)),
  );
  const gate = own(
    new Later(async () => {
      const [{ PermissionGate }, settings, answers] = await Promise.all([
        import('../permissions/permissionGate'),
        rules.get(),
        history.get(),
      ]);
      for (const problem of settings.read().problems) log.warn(`parley.permissions.rules: ${problem}`);
      return new PermissionGate({
        scopes,
        guards: async (cwd) => guards.globsIn(cwd),
        rules: settings,
        history: answers,
        titleOf: ({ id, thread }) => index.get(id)?.ownTitle ?? thread.title ?? '',
        clock,
        log,
      });
    }),
  );
  const router = new SessionRouter(
    methodsOf(files, 'readTextFile', 'writeTextFile'),
    methodsOf(terminals, 'createTerminal', 'terminalOutput', 'waitForTerminalExit', 'killTerminal', 'releaseTerminal'),
    log,
    async (session, params, token) => {
      // As it is when the request comes: the agent may change the call while the code is loaded.
      const asked = { sessionId: session.sessionId, subject: session.subjectOf(params) };
      return (await gate.get()).request(session, params, token, asked);
    },
  );
  return { files, terminals, background, history, gate, rules, router };
}
