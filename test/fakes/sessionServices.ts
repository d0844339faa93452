import { Emitter } from '../../src/base/event';
import { silentLogger } from '../../src/base/log';
import { AttachmentStore } from '../../src/host/attachments/attachmentStore';
import { PromptBuilder } from '../../src/host/sessions/promptBuilder';
import { SessionIndex } from '../../src/host/sessions/sessionIndex';
import type { SessionRouter } from '../../src/host/sessions/sessionRouter';
import type {
  SessionAgents,
  SessionOpening,
  SessionServices,
  SessionStorage,
  SessionWork,
} from '../../src/host/sessions/sessionServices';
import { ApiKeys } from '../../src/host/signIn/apiKeys';
import { agentConfiguration } from './runningAgent';
import { FakeClock } from './fakeClock';
import { memorySecrets } from './memorySecrets';
import { MemoryState } from './memoryState';
import { sessionRouter } from './sessionRouter';

const nothing = () => ({ dispose: () => undefined });

/** What a test has otherwise than `sessionServices`. */
export interface OtherServices {
  readonly clock?: FakeClock;
  readonly configured?: Partial<SessionAgents['configured']>;
  readonly processes?: Partial<SessionAgents['processes']>;
  readonly router?: SessionRouter;
  readonly opening?: Partial<SessionOpening>;
  readonly storage?: Partial<Pick<SessionStorage, 'index' | 'state'>>;
  readonly transcripts?: Partial<SessionStorage['transcripts']>;
  readonly prompts?: Partial<SessionServices['prompts']>;
  readonly turns?: Partial<SessionWork['turns']>;
  readonly runsCommand?: SessionWork['runsCommand'];
}

/** Services of sessions in `/w` that keep everything in memory, with agents that are configured and cannot start. */
export function sessionServices(other: OtherServices = {}): SessionServices & { readonly clock: FakeClock } {
  const clock = other.clock ?? new FakeClock();
  const state = other.storage?.state ?? new MemoryState();
  const prompts = new PromptBuilder(new AttachmentStore('/none', silentLogger));
  return {
    agents: {
      configured: {
        named: agentConfiguration,
        problemOf: () => undefined,
        initial: 'A',
        select: async () => undefined,
        ...other.configured,
      },
      processes: {
        running: () => undefined,
        start: () => Promise.reject(new Error('unused')),
        stop: async () => undefined,
        stopAll: async () => undefined,
        takeRemark: () => undefined,
        printed: () => undefined,
        unread: () => 0,
        onDidProgress: nothing,
        onDidEnd: nothing,
        ...other.processes,
      },
      router: other.router ?? sessionRouter(),
      signIn: {
        keys: new ApiKeys(memorySecrets()),
        clock,
        log: silentLogger,
        askForKey: async () => undefined,
        agreeToRun: async () => false,
        run: () => ({ ended: Promise.resolve(undefined), show: () => undefined, close: () => undefined }),
        done: new Emitter(),
      },
    },
    opening: {
      folders: {
        rootsOf: () => ({ cwd: '/w', roots: ['/w'] }),
        mayStartIn: () => true,
        useScratch: async () => undefined,
      },
      setup: {
        prepare: async (_agent, { cwd }) => ({
          params: { cwd, mcpServers: [] },
          setup: { servers: [], folders: [], foldersLeft: [] },
        }),
      },
      options: { apply: async () => undefined },
      worktrees: {
        at: () => undefined,
        reach: (_cwd, roots) => roots,
        placeOf: () => undefined,
        make: () => Promise.reject(new Error('unused')),
      },
      ...other.opening,
    },
    storage: {
      index: other.storage?.index ?? new SessionIndex(state),
      state,
      transcripts: {
        begin: () => undefined,
        append: () => undefined,
        read: async () => undefined,
        copy: async () => false,
        delete: async () => undefined,
        onDidLose: nothing,
        ...other.transcripts,
      },
    },
    prompts: {
      shown: (draft) => prompts.shown(draft),
      build: (draft, target) => prompts.build(draft, target),
      lastOf: (thread) => prompts.lastOf(thread),
      draftOf: (prompt) => prompts.draftOf(prompt),
      ...other.prompts,
    },
    work: {
      turns: {
        begin: async () => undefined,
        sent: () => undefined,
        act: () => undefined,
        end: () => undefined,
        ...other.turns,
      },
      runsCommand: other.runsCommand ?? (() => false),
      background: { of: () => [] },
    },
    clock,
    log: silentLogger,
  };
}
