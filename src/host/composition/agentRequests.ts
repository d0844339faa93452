import path from 'node:path';
import * as vscode from 'vscode';
import { userEnvironment } from '../../node/environment';
import { terminalVariables } from '../agents/agentSettings';
import { guardGlobs } from '../changes/guards';
import type { ReviewService } from '../changes/reviewService';
import { FilesDoor } from '../files/filesDoor';
import { askOutside } from '../files/outsideWorkspaceRequest';
import { PermissionDoor } from '../permissions/permissionDoor';
import type { PermissionHistory } from '../permissions/permissionHistory';
import type { RuleSettings } from '../permissions/ruleSettings';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import type { SessionIndex } from '../sessions/sessionIndex';
import { SessionRouter } from '../sessions/sessionRouter';
import { FileState } from '../storage/fileState';
import type { AgentTerminals } from '../terminals/agentTerminal';
import { TerminalDoor } from '../terminals/terminalDoor';
import type { TerminalMirror } from '../terminals/terminalMirror';
import type { Basis } from './basis';

export type AgentRequests = ReturnType<typeof createAgentRequests>;

/** What agents may ask of the editor: files, terminals and permissions, each for the session that is named. */
export function createAgentRequests(
  { own, context, clock, log, storage, trouble, watchdog }: Basis,
  sessions: SessionDirectory,
  index: SessionIndex,
  recorder: ReviewService,
) {
  const { scope: scopes } = sessions;
  const files = new FilesDoor({
    scopes,
    recorder,
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
  let native: Promise<AgentTerminals> | undefined;
  const show = (mirror: TerminalMirror) =>
    void (native ??= import('../terminals/agentTerminal').then((lazy) => own(new lazy.AgentTerminals()))).then(
      (opened) => opened.show(mirror),
    );
  const terminals = own(
    new TerminalDoor(
      async () =>
        new (await import('../terminals/terminalService')).TerminalService({
          scopes,
          clock,
          log,
          environment: userEnvironment,
          variables: terminalVariables,
          watchdog,
          show,
          backend: async () => (await import('../../node/pty')).loadPtyBackend(context.extensionPath),
        }),
    ),
  );
  let recorded: Promise<PermissionHistory> | undefined;
  const history = () =>
    (recorded ??= import('../permissions/permissionHistory').then(
      (lazy) =>
        new lazy.PermissionHistory(
          own(new FileState({ file: path.join(storage, 'permissions.json'), what: 'answers', clock, log, trouble })),
        ),
    ));
  let settings: Promise<RuleSettings> | undefined;
  const rules = () =>
    (settings ??= import('../permissions/ruleSettings').then((lazy) =>
      own(new lazy.RuleSettings(context.globalState)),
    ));
  const permissions = new PermissionDoor(async () => {
    const [{ PermissionGate }, settings, answers] = await Promise.all([
      import('../permissions/permissionGate'),
      rules(),
      history(),
    ]);
    for (const problem of settings.read().problems) log.warn(`parley.permissions.rules: ${problem}`);
    return new PermissionGate({
      scopes,
      guards: (folder) => guardGlobs(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder))?.uri),
      rules: () => settings.active,
      isTrusted: () => vscode.workspace.isTrusted,
      history: answers,
      titleOf: ({ id, thread }) => index.get(id)?.ownTitle ?? thread.title ?? '',
      clock,
      log,
    });
  });
  const router = new SessionRouter(files, terminals, log, (session, params, token) =>
    permissions.request(session, params, token),
  );
  return { files, terminals, history, permissions, rules, router };
}
