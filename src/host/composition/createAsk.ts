import * as vscode from 'vscode';
import { Later } from '../../base/later';
import { userEnvironment } from '../../node/environment';
import { askActs } from '../ask/askCommands';
import type { OtherAgents } from '../ask/continueWith';
import type { AttachmentsOptions } from '../attachments/messageAttachments';
import type { Gallery } from '../gallery/gallery';
import type { ChatPanels } from '../panel/chatPanels';
import type { Agents } from './agents';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { Sessions } from './sessions';

export interface AskSurroundings {
  readonly changes: Pick<Changes, 'isGuarded' | 'review'>;
  readonly agents: Agents;
  readonly parts: Sessions;
  readonly panels: ChatPanels;
  readonly terminals: AttachmentsOptions['terminals'];
  readonly gallery: Later<Gallery>;
  /** Opens the list of agents. */
  readonly showAgents: () => Promise<void>;
}

/** What asks an agent from outside the panel. Loaded with the first of its commands, and the rest of it on use. */
export function createAsk(
  { own, context, clock, log, watchdog }: Basis,
  { changes, agents, parts, panels, terminals, gallery, showAgents }: AskSurroundings,
) {
  const { service: sessions, attachmentStore: store } = parts;
  const { remarks } = parts.editor;
  const { worktrees } = parts.opening;
  const { configured, programs, secrets, secretless } = agents;
  const state = context.globalState;
  const ask = own(
    new Later(async () => {
      const { AskAgent } = await import('../ask/askAgent');
      return new AskAgent({ sessions, panels, terminals, store, state });
    }),
  );
  const answers = own(
    new Later(async () => {
      const { SeparateAnswers } = await import('../ask/separateAnswer');
      const clientVersion = String(context.extension.packageJSON.version);
      return new SeparateAnswers({
        process: { clientVersion, clock, log: secretless, watchdog },
        programs,
        keyFor: secrets.keyFor,
      });
    }),
  );
  const sourceControl = own(
    new Later(async () => {
      const { SourceControlAsks } = await import('../ask/sourceControl');
      return new SourceControlAsks({
        answers: await answers.get(),
        agents: {
          all: configured.all,
          named: (name) => configured.named(name),
          current: () => (configured.named(sessions.active.agent) ? sessions.active.agent : configured.initial),
        },
        threads: () => remarks.get(),
        git: async (which) => ({
          which,
          env: await userEnvironment(),
          notWithin: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
          isGuarded: changes.isGuarded,
          log,
        }),
        showAgents,
        state,
        log,
      });
    }),
  );
  const inline = own(
    new Later(async () => {
      const { InlinePrompt } = await import('../ask/inlinePrompt');
      return new InlinePrompt({
        sessions,
        panels,
        store,
        changedBy: (id) => changes.review.changes(id).map(({ label }) => label),
        toPanel: async (text, context) => (await ask.get()).fill(text, context),
        showAgents,
      });
    }),
  );
  const access = own(new Later(async () => new (await import('../ask/apiAccess')).ApiAccess(state)));
  const others: OtherAgents = {
    named: (name) => configured.named(name),
    choices: async () => (await gallery.get()).choices(),
    showAll: showAgents,
    answers: () => answers.get(),
  };
  const continueWith = own(
    new Later(async () => {
      const [{ ContinueWith }, { conversationOf }] = await Promise.all([
        import('../ask/continueWith'),
        import('../sessions/conversationTexts'),
      ]);
      return new ContinueWith({
        sessions,
        panels,
        agents: others,
        earlier: {
          conversation: (id) => conversationOf(parts.storage, id),
          pending: (id) => changes.review.changes(id),
          reach: (cwd, roots) => (worktrees.at(cwd) ? worktrees.reach(cwd, roots) : undefined),
        },
        clock,
        log,
      });
    }),
  );
  const review = own(
    new Later(async () => {
      const { PendingReview } = await import('../ask/pendingReview');
      const filling = await ask.get();
      return new PendingReview({
        sessions,
        agents: others,
        changes: {
          sessions: () => changes.review.withMoves,
          look: () => changes.review.look(),
          isGuarded: changes.isGuarded,
        },
        threads: () => remarks.get(),
        fill: (text, made) => filling.fill(text, made),
        log,
      });
    }),
  );
  const api = own(
    new Later(async () => {
      const { Api } = await import('../ask/api');
      return new Api({ access: await access.get(), agents: configured, sessions, panels, store });
    }),
  );
  return {
    acts: askActs({ ask, sourceControl, remarks, inline, access, continueWith, review }),
    getApi: async (version: unknown, from: unknown) => (await api.get()).getApi(version, from),
  };
}
