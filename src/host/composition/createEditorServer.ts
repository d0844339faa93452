import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Later, methodsOf } from '../../base/later';
import { editorServerName } from '../../editor/editorCall';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { ProblemWatch } from '../review/problemWatch';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import type { AgentRequests } from './agentRequests';
import type { Basis } from './basis';
import type { Changes } from './changes';

export type Editor = ReturnType<typeof createEditorServer>;

/** What the tools need of `ProblemWatch`. */
type TurnWatch = Pick<ProblemWatch, 'turn' | 'noteLook'>;

/**
 * The editor's tools for agents. Loaded with the first session of an agent that gets them.
 * @param problems of the review, which is there once a session is
 */
export function createEditorServer(
  { own, context, clock, log }: Basis,
  sessions: SessionDirectory,
  { files, terminals }: AgentRequests,
  { service }: Changes,
  problems: () => Later<TurnWatch>,
) {
  const remarks = own(new Later(async () => new (await import('../ask/remarkThreads')).RemarkThreads()));
  const server = own(
    new Later(async () => {
      const [{ EditorServer }, { askToRun }, { ToolListWatch }] = await Promise.all([
        import('../editor/editorServer'),
        import('../editor/askToRun'),
        import('../editor/toolListWatch'),
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
              turnProblems: () => problems().opened?.turn(id),
              noteLook: (looked) => problems().opened?.noteLook(id, looked),
              remark: async ({ path, ...lines }, text) =>
                (await remarks.get()).add(id, scope.agent, vscode.Uri.file(path), lines, text),
              ask: (question, token) => askToRun(session, question, token),
            }
          );
        },
        works: (id) => sessions.find(id)?.session.works(),
        onDidChangeTools: own(new ToolListWatch(clock)).onDidChange,
        log,
      });
    }),
  );
  const used = own(new Emitter<unknown>());
  server.onDidOpen((opened) => own(opened.onDidChange((id) => used.fire(id))));
  return {
    server,
    /** What agents say about lines, in comment threads. */
    remarks,
    onDidUse: used.event,
    useOf: (id: string) => server.opened?.useOf(id),
    /** For `session/new`, load and resume; undefined where the agent gets no such server. */
    serverFor: async (id: string, { isDemo, mcpServers: only }: AgentConfiguration) =>
      isDemo === true || !vscode.workspace.isTrusted || only?.includes(editorServerName) === false
        ? undefined
        : (await server.get()).open(id),
  };
}
