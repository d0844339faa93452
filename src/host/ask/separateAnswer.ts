import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { type AuthMethod, offeredMethods } from '../../acp/authMethods';
import type { AgentFeatures } from '../../acp/capabilities';
import { featureNames, featuresWith } from '../../acp/clientFeatures';
import type { CancellationToken } from '../../base/cancellation';
import { Disposable } from '../../base/lifecycle';
import { specOf } from '../../registry/packageNames';
import { wantsSignIn } from '../../thread/errorCause';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { AgentPrograms } from '../agents/agentPrograms';
import { answerProblem, initializeProblem, sessionProblem, signInProblem } from '../agents/check/checkWords';
import { connectionFor, spawner, versionRefusal } from '../agents/linkAgent';
import { SeparateProcess, type SeparateProcessOptions, type SeparatePurpose } from '../agents/separateProcess';
import { answerRefusal } from './answerRefusal';
import { StartFailure } from '../agents/startFailure';

/** Time limits. Milliseconds. */
const startMs = 60_000;
const sessionMs = 60_000;
const answerMs = 5 * 60_000;

const purpose: SeparatePurpose = {
  name: 'answer',
  refusal: answerRefusal,
  maxAnswer: 256 * 1024,
};

/**
 * Nothing that an agent could do through Parley. Notices and compactions have a place of their own where they are taken;
 * else agents put their words into the answer, and with that into a commit message.
 */
const nothing = Object.fromEntries(
  featureNames.map((name) => [name, name === 'session.notices' || name === 'session.compaction']),
);

/** Why there is no answer, as sentences for the user. */
export class NoAnswerGiven extends Error {
  override readonly name = 'NoAnswerGiven';
}

export interface SeparateAnswersOptions {
  readonly process: SeparateProcessOptions;
  readonly programs: () => Promise<Pick<AgentPrograms, 'prepare' | 'versionOf'>>;
  /** A key that worked before, for one of the agent's methods. */
  readonly keyFor: (
    agent: string,
    methods: readonly AuthMethod[],
  ) => Promise<{ readonly methodId: string; readonly key: string } | undefined>;
}

/**
 * Gets one answer from an agent, apart from all sessions: in its own process, in an empty folder, without MCP servers.
 * The agent is offered no files and no terminal, and each of its requests is rejected. Nothing is kept of it.
 */
export class SeparateAnswers extends Disposable {
  readonly #processes = new Set<SeparateProcess>();

  constructor(private readonly options: SeparateAnswersOptions) {
    super();
  }

  /**
   * Sends a prompt and resolves with the text of the answer, which is hostile.
   * @returns undefined if the user cancelled. @throws NoAnswerGiven
   */
  async ask(configuration: AgentConfiguration, text: string, token: CancellationToken): Promise<string | undefined> {
    const { name } = configuration;
    if (!vscode.workspace.isTrusted)
      throw new NoAnswerGiven(l10n.t('This workspace is in Restricted Mode, so agents can’t start.'));
    const folder = await mkdtemp(nodePath.join(tmpdir(), 'parley-ask-'));
    let process_: SeparateProcess | undefined;
    let hasAnswered = false;
    try {
      const started = await this.#start(configuration, folder, token, (next) => (process_ = next));
      const sessionId = await this.#open(configuration, folder, started, token);
      const answer = await this.#answer(sessionId, text, started, token);
      hasAnswered = true;
      return answer;
    } catch (error) {
      if (token.isCancellationRequested || (error instanceof StartFailure && error.isCancellation)) return undefined;
      if (error instanceof NoAnswerGiven) throw error;
      this.options.process.log.error(`${name}: one answer failed: ${String(error)}`);
      throw new NoAnswerGiven(messageOf(error));
    } finally {
      // One that floods or hangs would take its time.
      await this.#end(process_, !hasAnswered);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  override dispose(): void {
    for (const process_ of this.#processes) process_.dispose();
    super.dispose();
  }

  async #start(
    { cwd: _elsewhere, ...entry }: AgentConfiguration,
    folder: string,
    token: CancellationToken,
    began: (process_: SeparateProcess) => void,
  ): Promise<{ readonly process: SeparateProcess; readonly features: AgentFeatures }> {
    const configuration: AgentConfiguration = { ...entry, capabilities: nothing };
    const programs = await this.options.programs();
    const { source, name } = configuration;
    if (source && (await programs.versionOf(source)) === undefined)
      throw new NoAnswerGiven(l10n.t('{0} is not installed. Start it in the chat once.', specOf(source)));
    const prepared = await programs.prepare(configuration, folder, token, () => undefined);
    if ('cancelled' in prepared || token.isCancellationRequested) throw StartFailure.cancelled();
    if ('missing' in prepared)
      throw new NoAnswerGiven(l10n.t('The program of {0} was not found. Run “Parley: Check Agent…” to see why.', name));
    if ('failure' in prepared) throw new NoAnswerGiven(`${prepared.failure.title}. ${prepared.failure.detail}`);
    for (let version = configuration.protocol ?? 1; ; version = 1) {
      const [speaks, spawn] = await Promise.all([connectionFor(version), spawner()]);
      const process_ = new SeparateProcess(
        prepared,
        configuration,
        folder,
        { speaks, spawn },
        this.options.process,
        purpose,
      );
      this.#processes.add(process_);
      began(process_);
      try {
        const features = await process_.during(process_.connection.initialize(token), startMs, token);
        return { process: process_, features };
      } catch (error) {
        if (token.isCancellationRequested) throw error;
        if (version !== 1 && versionRefusal(error) !== undefined) {
          await this.#end(process_, true);
          continue;
        }
        throw said(initializeProblem(error, configuration, process_).problem);
      }
    }
  }

  async #open(
    { name }: AgentConfiguration,
    folder: string,
    { process: process_, features }: { readonly process: SeparateProcess; readonly features: AgentFeatures },
    token: CancellationToken,
  ): Promise<string> {
    const methods = offeredMethods(features.authMethods, featuresWith(nothing));
    const open = () =>
      process_.during(process_.connection.newSession({ cwd: folder, mcpServers: [] }, token), sessionMs, token);
    try {
      return (
        await open().catch(async (error: unknown) => {
          const known = wantsSignIn(error) ? await this.options.keyFor(name, methods) : undefined;
          if (!known) throw error;
          const authenticated = process_.connection.authenticate(known.methodId, token, known.key);
          await process_.during(authenticated, sessionMs, token);
          return open();
        })
      ).sessionId;
    } catch (error) {
      if (token.isCancellationRequested) throw error;
      if (wantsSignIn(error)) throw said(signInProblem(error, methods, process_.stderr));
      throw said(sessionProblem(error, process_, this.options.process.clock.now()));
    }
  }

  async #answer(
    sessionId: string,
    text: string,
    { process: process_, features }: { readonly process: SeparateProcess; readonly features: AgentFeatures },
    token: CancellationToken,
  ): Promise<string> {
    const full = process_.full.then(() => Promise.reject(new NoAnswerGiven(l10n.t('The answer is too long.'))));
    full.catch(() => undefined);
    // The process ends next, so nobody waits for these.
    const leave = () => {
      const ignore = (error: unknown) => this.options.process.log.debug(`A session was not closed: ${String(error)}`);
      if (features.close) process_.connection.closeSession(sessionId).catch(ignore);
      if (features.delete) process_.connection.deleteSession(sessionId).catch(ignore);
    };
    const cancelled = token.onCancellationRequested(
      () => void process_.connection.cancel(sessionId).catch(() => undefined),
    );
    try {
      const turn = Promise.race([process_.prompt(sessionId, text), full]);
      const reason = await process_.during(turn, answerMs, token);
      if (process_.said.trim() === '' || reason === 'cancelled' || reason === 'refusal')
        throw new NoAnswerGiven(l10n.t('The turn ended without an answer ({0}).', reason.slice(0, 80)));
      return process_.said;
    } catch (error) {
      if (token.isCancellationRequested || error instanceof NoAnswerGiven) throw error;
      throw said(answerProblem(error, process_, this.options.process.clock.now()));
    } finally {
      cancelled.dispose();
      leave();
    }
  }

  async #end(process_: SeparateProcess | undefined, isHurried: boolean): Promise<void> {
    if (!process_) return;
    await process_.end(isHurried);
    this.#processes.delete(process_);
  }
}

/** A problem in the words of a check. */
function said({ text, help }: { readonly text: string; readonly help?: string }): NoAnswerGiven {
  return new NoAnswerGiven([text, help].filter(Boolean).join(' '));
}
