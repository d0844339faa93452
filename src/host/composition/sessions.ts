import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { userEnvironment } from '../../node/environment';
import { AttachmentStore } from '../attachments/attachmentStore';
import { ServerSources } from '../mcp/serverSources';
import { OptionMemory } from '../sessions/optionMemory';
import { PromptBuilder } from '../sessions/promptBuilder';
import type { Logger } from '../../base/log';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import { SessionFolders } from '../sessions/sessionFolders';
import type { SessionIndex, SessionRecord } from '../sessions/sessionIndex';
import { SessionService } from '../sessions/sessionService';
import { SessionSetup } from '../sessions/sessionSetup';
import type { Worktrees } from '../worktrees/worktrees';
import { TranscriptRecorder } from '../sessions/transcriptRecorder';
import { type TranscriptHeader, TranscriptStore } from '../sessions/transcriptStore';
import type { SignInServices, SignInTerminal } from '../signIn/signIn';
import type { SignInCommand } from '../signIn/signInCommand';
import type { AgentRequests } from './agentRequests';
import type { Agents } from './agents';
import { scratchFolder } from '../storage/windowStorage';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { Editor } from './createEditorServer';

export type Sessions = ReturnType<typeof createSessions>;

/** The sessions with agents, and what is kept of them. */
export function createSessions(
  { own, context, clock, log, storage: { folder, state, trouble } }: Basis,
  directory: SessionDirectory,
  { index, worktrees }: { readonly index: SessionIndex; readonly worktrees: Worktrees },
  { configured, processes, secrets }: Agents,
  { router, terminals, background }: AgentRequests,
  { disk }: Changes,
  editor: Editor,
) {
  const transcripts = own(
    new TranscriptStore({
      folder: path.join(folder, 'threads'),
      clock,
      log,
      trouble,
      headerOf: (id) => headerOf(index.get(id)),
    }),
  );
  const attachmentStore = new AttachmentStore(path.join(folder, 'attachments'), log);
  // Two folders up from our own storage is the user's profile, with VS Code's list of MCP servers.
  const userFiles = [
    vscode.Uri.joinPath(context.globalStorageUri, '../../mcp.json').fsPath,
    path.join(homedir(), '.copilot', 'mcp-config.json'),
  ];
  const servers = own(new ServerSources({ userFiles, workspaceState: state, globalState: context.globalState, log }));
  const folders = own(new SessionFolders(state, scratchFolder(context)));
  const answers = () => secrets.inputAnswers.get();
  const setup = own(new SessionSetup({ servers, answers, folders, worktrees, editor, userHome: homedir(), log }));
  const opening = { folders, setup, worktrees, options: new OptionMemory(context.globalState, clock, log) };
  const storage = { index, transcripts, state };
  const { apiKeys } = secrets;
  const signIn: SignInServices = {
    keys: apiKeys,
    clock,
    log,
    askForKey: async (agent, method) =>
      apiKeys.use(await (await import('../signIn/askForKey')).askForKey(agent, method)),
    agreeToRun: async (command) => (await import('../gallery/askInFull')).askToSignIn(command.title, command),
    run: (command) => runSignIn(command, context.extensionPath, log),
    done: own(new Emitter()),
  };
  const runsCommand = (id: string) => terminals.opened?.views(id).some(({ running }) => running) ?? false;
  const service = own(
    new SessionService(directory, {
      agents: { configured, processes, router, signIn },
      opening,
      storage,
      prompts: new PromptBuilder(attachmentStore),
      work: { turns: disk, runsCommand, background },
      clock,
      log,
    }),
  );
  own(new TranscriptRecorder(service, terminals, transcripts, clock));
  // Loaded with the list, or where an earlier window has left something to delete.
  const deletion = own(
    new Later(async () => {
      const { SessionDeletion } = await import('../sessions/sessionDeletion');
      return new SessionDeletion({ sessions: service, index, state, clock, log });
    }),
  );
  return { service, opening, servers, storage, attachmentStore, deletion, editor };
}

function headerOf(record: SessionRecord | undefined): TranscriptHeader | undefined {
  return record && { version: 1, id: record.id, agent: record.agent, cwd: record.cwd, createdAt: record.createdAt };
}

/** Runs a sign-in command in a terminal, whose code is loaded first. @param folder the extension's */
function runSignIn(command: SignInCommand, folder: string, log: Logger): SignInTerminal {
  const terminal = Promise.all([import('../signIn/signInTerminal'), import('../../node/pty')]).then(
    ([lazy, { loadPtyBackend }]) =>
      lazy.runSignIn(command, { environment: userEnvironment, backend: () => loadPtyBackend(folder) }),
  );
  terminal.catch((error: unknown) => log.error(`The terminal for the sign-in could not be opened: ${String(error)}`));
  return {
    ended: terminal.then(
      ({ ended }) => ended,
      () => ({}),
    ),
    show: () =>
      void terminal.then(
        ({ show }) => show(),
        () => undefined,
      ),
    close: () =>
      void terminal.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
}
