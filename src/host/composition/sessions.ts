import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { userEnvironment } from '../../node/environment';
import { AgentSecrets } from '../agents/agentSecrets';
import { AgentService } from '../agents/agentService';
import { readAgents } from '../agents/agentSettings';
import { defaultAgentName, lastAgentKey } from '../agents/defaultAgent';
import { loadPrograms } from '../agents/loadPrograms';
import { AttachmentStore } from '../attachments/attachmentStore';
import { ServerSources } from '../mcp/serverSources';
import { secretlessLog, secretValues } from '../platform/secretlessLog';
import { OptionMemory } from '../sessions/optionMemory';
import { PromptBuilder } from '../sessions/promptBuilder';
import type { Logger } from '../../base/log';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import { SessionDeletion } from '../sessions/sessionDeletion';
import { SessionFolders } from '../sessions/sessionFolders';
import type { SessionIndex, SessionRecord } from '../sessions/sessionIndex';
import type { SessionListOptions } from '../sessions/sessionList';
import { SessionService } from '../sessions/sessionService';
import { SessionSetup } from '../sessions/sessionSetup';
import { TranscriptRecorder } from '../sessions/transcriptRecorder';
import { type TranscriptHeader, TranscriptStore } from '../sessions/transcriptStore';
import { ApiKeys } from '../signIn/apiKeys';
import type { SignInTerminal } from '../signIn/signIn';
import type { SignInCommand } from '../signIn/signInCommand';
import type { AgentRequests } from './agentRequests';
import { type Basis, scratchFolder } from './basis';
import type { Changes } from './changes';
import { askForKey } from '../signIn/askForKey';

export type Sessions = ReturnType<typeof createSessions>;

/** Agents and the sessions with them. @param ways what the list of sessions asks of the views */
export function createSessions(
  { own, context, clock, log, storage, state, trouble, watchdog }: Basis,
  directory: SessionDirectory,
  index: SessionIndex,
  { router, terminals }: AgentRequests,
  { disk }: Changes,
  ways: Pick<SessionListOptions, 'reveal' | 'openIn'>,
) {
  const settings = () => readAgents(context.extensionUri);
  const agents = () => settings().agents;
  const agentNamed = (name: string) => agents().find((agent) => agent.name === name);
  const problemOf = (name: string) => settings().problems.find((problem) => problem.name === name)?.text;
  for (const { text } of settings().problems) log.warn(`parley.agents: ${text}`);
  const apiKeys = new ApiKeys(context.secrets);
  const usedAnswers = new Set<string>();
  const inputAnswers = own(
    new Later(async () => new (await import('../mcp/inputAnswers')).InputAnswers(context.secrets, state, usedAnswers)),
  );
  const agentSecrets = new AgentSecrets(context.secrets);
  const programs = loadPrograms(context, agents, agentSecrets, watchdog, log);
  // Agents inherit the variables of the window.
  const inherited = secretValues(process.env);
  const secrets = () => [...apiKeys.used, ...usedAnswers, ...agentSecrets.used, ...inherited];
  const secretless = secretlessLog(log, secrets);
  const agentService = own(
    new AgentService(
      (routeKey, name) => router.handlersFor(routeKey, () => directory.homeOf(name)),
      String(context.extension.packageJSON.version),
      secretless,
      programs,
      watchdog,
    ),
  );
  const transcripts = own(
    new TranscriptStore({
      folder: path.join(storage, 'threads'),
      clock,
      log,
      trouble,
      headerOf: (id) => headerOf(index.get(id)),
    }),
  );
  const attachmentStore = new AttachmentStore(path.join(storage, 'attachments'), log);
  // Two folders up from our own storage is the user's profile, with VS Code's list of MCP servers.
  const userFiles = [
    vscode.Uri.joinPath(context.globalStorageUri, '../../mcp.json').fsPath,
    path.join(homedir(), '.copilot', 'mcp-config.json'),
  ];
  const servers = own(new ServerSources({ userFiles, workspaceState: state, globalState: context.globalState, log }));
  const folders = own(new SessionFolders(state, scratchFolder(context)));
  const options = new OptionMemory(context.globalState, clock, log);
  const setup = own(
    new SessionSetup({ servers, answers: () => inputAnswers.get(), folders, userHome: homedir(), log }),
  );
  const service: SessionService = own(
    new SessionService({
      directory,
      setup,
      disk,
      runsCommand: (id) => terminals.opened?.views(id).some(({ running }) => running) ?? false,
      folders,
      index,
      agents: agentService,
      router,
      transcripts,
      prompts: new PromptBuilder(attachmentStore),
      options,
      state,
      clock,
      log,
      signIn: {
        keys: apiKeys,
        clock,
        log,
        askForKey: async (agent, method) => apiKeys.use(await askForKey(agent, method)),
        agreeToRun: async (command) => (await import('../gallery/askInFull')).askToSignIn(command.title, command),
        run: (command) => runSignIn(command, context.extensionPath, log),
        done: own(new Emitter()),
      },
      agentNamed,
      problemOf,
      mayStartIn: (cwd) => folders.mayStartIn(cwd),
      initialAgent: () => {
        const last = context.globalState.get<string>(lastAgentKey);
        return defaultAgentName(last !== undefined && agentNamed(last) ? last : undefined);
      },
      selected: (name) => context.globalState.update(lastAgentKey, name),
    }),
  );
  own(new TranscriptRecorder(service, terminals, transcripts));
  const deletion = own(new SessionDeletion({ sessions: service, index, state, clock, log }));
  const list = own(
    new Later(async () => {
      const { SessionList } = await import('../sessions/sessionList');
      return new SessionList({ sessions: service, index, deletion, transcripts, clock, log, ...ways });
    }),
  );
  return {
    agents,
    problemOf,
    secrets,
    secretless,
    agentService,
    agentSecrets,
    apiKeys,
    inputAnswers,
    programs,
    transcripts,
    attachmentStore,
    servers,
    folders,
    options,
    setup,
    service,
    deletion,
    list,
  };
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
