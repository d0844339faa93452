import * as vscode from 'vscode';
import { Later, methodsOf } from '../../base/later';
import { editorServerName } from '../../editor/toolTable';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import type { AgentRequests } from './agentRequests';
import type { Basis } from './basis';
import type { Changes } from './changes';

export type Editor = ReturnType<typeof createEditorServer>;

/** The editor's tools for agents. Loaded with the first session of an agent that gets them. */
export function createEditorServer(
  { own, context, clock, log }: Basis,
  sessions: SessionDirectory,
  { files, terminals }: AgentRequests,
  { service }: Changes,
) {
  const remarks = own(new Later(async () => new (await import('../platform/remarks')).Remarks()));
  const server = own(
    new Later(async () => {
      const [{ EditorServer }, { askToRun }] = await Promise.all([
        import('../editor/editorServer'),
        import('../editor/askToRun'),
      ]);
      return new EditorServer({
        program: context.asAbsolutePath('dist/editorServer.js'),
        sessionOf: (id) => {
          const scope = sessions.scope(id);
          const session = sessions.find(id)?.session;
          return (
            scope &&
            session && {
              scope,
              clock,
              files: {
                readTextFile: async (...call) => (await files.get()).readTextFile(...call),
                writeTextFile: async (...call) => (await files.get()).writeTextFile(...call),
              },
              terminals: {
                ...methodsOf(
                  terminals,
                  'createTerminal',
                  'terminalOutput',
                  'waitForTerminalExit',
                  'killTerminal',
                  'releaseTerminal',
                ),
                show: async (terminalId) => void (await terminals.get()).open(id, terminalId, { keepsFocus: true }),
              },
              pending: async () => {
                await service.lookAgain(service.tracked(id).map(({ path }) => path));
                return service.tracked(id);
              },
              remark: async ({ path, ...lines }, text) =>
                (await remarks.get()).add({
                  owner: id,
                  author: scope.agent,
                  uri: vscode.Uri.file(path),
                  ...lines,
                  text,
                }),
              ask: (title, kind, token) => askToRun(session, title, kind, token),
            }
          );
        },
        works: (id) => sessions.find(id)?.session.works(),
        log,
      });
    }),
  );
  return {
    server,
    /** For `session/new`, load and resume; undefined where the agent gets no such server. */
    serverFor: async (id: string, { isDemo, mcpServers: only }: AgentConfiguration) =>
      isDemo === true || !vscode.workspace.isTrusted || only?.includes(editorServerName) === false
        ? undefined
        : (await server.get()).open(id),
  };
}
