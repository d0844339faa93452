import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { maxPromptLength } from '../../protocol/messages';
import { nameKey } from '../../registry/lookAlikes';
import type { ThreadAction } from '../../thread/actions';
import { answerText } from '../../thread/threadTurns';
import { isAbsolutePath } from '../../view/labels';
import { decodeAgent } from '../agents/agentSettings';
import type { ConfiguredAgents } from '../agents/configuredAgents';
import { type Attachment, maxTextLength, type NewAttachment } from '../attachments/attachment';
import type { ChatPanels } from '../panel/chatPanels';
import { plainText } from '../platform/plainText';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import { apiErrors } from './apiErrors';
import { type ApiAccess, type ApiCaller, callerOf } from './apiAccess';
import type { ApiAgent, ApiContext, ApiUpdate, ParleyApi, ParleyExports, ParleySession } from './parleyApi';

/** Sessions that one extension may have opened and not used yet, and contexts of one prompt. */
const maxUnused = 20;
const maxContexts = 50;

export interface ApiOptions {
  readonly access: Pick<ApiAccess, 'has' | 'request' | 'agreeTo'>;
  readonly agents: Pick<ConfiguredAgents, 'all' | 'named' | 'register'>;
  readonly sessions: Pick<SessionService, 'active' | 'another' | 'find' | 'openSession'>;
  readonly panels: Pick<ChatPanels, 'active' | 'reveal'>;
  readonly store: { save(made: NewAttachment): Promise<Attachment> };
}

/** What other extensions may do. Each is known by the identifier that it gives, and the user has agreed to each. */
export class Api implements ParleyExports {
  constructor(private readonly options: ApiOptions) {}

  readonly getApi = async (version: unknown, context: unknown): Promise<ParleyApi> => {
    if (version !== 1) throw apiErrors.version(version);
    const caller = callerOf(context);
    if (!(await this.options.access.request(caller))) throw apiErrors.refused(caller.id);
    return this.#apiFor(caller);
  };

  #apiFor(caller: ApiCaller): ParleyApi {
    const { access, agents, panels } = this.options;
    const check = (): void => {
      if (!access.has(caller)) throw apiErrors.withdrawn(caller.id);
    };
    const unused = new Set<LiveSession>();
    return Object.freeze({
      version: 1 as const,
      agents: () => {
        check();
        return agents.all().map(({ name }) => name);
      },
      registerAgent: async (agent: ApiAgent) => {
        check();
        return this.#register(caller, agent);
      },
      openSession: (agent?: string) => {
        check();
        if (unused.size >= maxUnused) throw apiErrors.tooManySessions();
        return this.#open(caller, agent, check, unused);
      },
      addContext: async (context: ApiContext) => {
        check();
        const refused = await panels.active.draft.add(attachmentOf(context));
        if (refused !== undefined) throw new Error(refused);
        await panels.reveal();
      },
    });
  }

  async #register(caller: ApiCaller, { name, command, args = [], env = {} }: ApiAgent): Promise<vscode.Disposable> {
    const { access, agents } = this.options;
    if (typeof name !== 'string' || name.trim() === '' || name.length > 60 || plainText(name, 60) !== name)
      throw apiErrors.agentName();
    if (agents.all().some((other) => nameKey(other.name) === nameKey(name))) throw apiErrors.agentTaken(name);
    if (typeof command !== 'string' || !isAbsolutePath(command)) throw apiErrors.agentCommand();
    const decoded = decodeAgent(name, { command, args, env });
    if (typeof decoded === 'string') throw new Error(decoded);
    const agent = { ...decoded, extension: caller.name };
    if (!(await access.agreeTo(caller, { name, command: agent.command, args: agent.args, env: agent.env })))
      throw apiErrors.agentRefused(name);
    return new vscode.Disposable(agents.register(agent).dispose);
  }

  #open(caller: ApiCaller, agent: string | undefined, check: () => void, unused: Set<LiveSession>): ParleySession {
    const { sessions, agents, panels } = this.options;
    const name = agent ?? sessions.active.agent;
    if (!agents.named(name)) throw apiErrors.noAgent(name);
    const live = sessions.another(name);
    unused.add(live);
    const updates = new Emitter<ApiUpdate>();
    const isOpen = () => sessions.find(live.id) === live;
    live.session.onDidAct((action) => {
      const update = updateOf(action);
      if (update && this.options.access.has(caller)) updates.fire(update);
    });
    let stopReason = '';
    live.session.onDidEndTurn((end) => {
      ({ stopReason } = end);
      if (this.options.access.has(caller)) updates.fire({ type: 'end', stopReason });
    });
    return Object.freeze({
      id: live.id,
      agent: name,
      onDidUpdate: updates.event as vscode.Event<ApiUpdate>,
      prompt: async (text: string, context: readonly ApiContext[] = []) => {
        check();
        if (!vscode.workspace.isTrusted) throw apiErrors.restricted();
        if (typeof text !== 'string' || text.trim() === '' || text.length > maxPromptLength)
          throw apiErrors.prompt(maxPromptLength);
        if (!isOpen()) throw apiErrors.closed();
        if (!live.session.takesPrompt) throw apiErrors.running();
        if (unused.delete(live))
          live.session.notify({
            severity: 'info',
            title: l10n.t('The extension “{0}” opened this session', plainText(caller.name, 80)),
          });
        const attachments: Attachment[] = [];
        for (const made of context.slice(0, maxContexts).map(attachmentOf))
          attachments.push(await this.options.store.save(made));
        // Not through the service: the user's own prompts are not mixed with these.
        await live.submit({ text, mentions: [], attachments });
        return { stopReason, text: answerText(live.session.thread) };
      },
      stop: () => {
        check();
        live.stop();
      },
      show: async () => {
        check();
        if (await sessions.openSession(live.id)) await panels.reveal();
      },
    });
  }
}

/** What an extension hears of an action in its session. */
function updateOf(action: ThreadAction): ApiUpdate | undefined {
  switch (action.type) {
    case 'message/chunkAppended':
    case 'message/appended':
      return action.role === 'agent' && action.content.type === 'text'
        ? { type: 'text', text: action.content.text }
        : undefined;
    case 'toolCall/patched': {
      const { toolCallId: id, title, status } = action.fields;
      return { type: 'toolCall', id, ...(title ? { title } : {}), ...(status ? { status } : {}) };
    }
    case 'permission/requested':
      return { type: 'permission', title: action.words?.title ?? action.fields.title ?? '' };
    default:
      return undefined;
  }
}

function attachmentOf({ label, text }: ApiContext): NewAttachment {
  const shown = plainText(String(label), 60);
  return {
    kind: 'file',
    label: shown,
    detail: l10n.t('From an extension'),
    linkable: false,
    uri: `parley:/extension/${encodeURIComponent(shown)}`,
    content: String(text).slice(0, maxTextLength),
    fileName: 'context.txt',
  };
}
