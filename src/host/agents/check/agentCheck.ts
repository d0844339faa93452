import * as l10n from '@vscode/l10n';
import { messageOf } from '../../../base/errorText';
import type { ProtocolVersion } from '../../../acp/agentConnection';
import { type AuthMethod, offeredMethods } from '../../../acp/authMethods';
import type { AgentFeatures } from '../../../acp/capabilities';
import { featuresWith } from '../../../acp/clientFeatures';
import { AcpError } from '../../../acp/errors';
import type { CancellationToken } from '../../../base/cancellation';
import { Disposable } from '../../../base/lifecycle';
import { specOf } from '../../../registry/packageNames';
import { wantsSignIn } from '../../../thread/errorCause';
import { concealer, secretValues } from '../../platform/secretlessLog';
import type { AgentConfiguration } from '../agentSettings';
import type { AgentPrograms, Launch } from '../agentPrograms';
import { connectionFor, spawner, versionRefusal } from '../linkAgent';
import { StartFailure } from '../startFailure';
import { missingFolder } from '../missingFolder';
import { SeparateProcess, type SeparateProcessOptions, type SeparatePurpose } from '../separateProcess';
import { startFailure } from '../startWords';
import { testPrompt, testRefusal } from './testPrompt';
import { CheckProgress, type CheckView, type StepProblem } from './checkSteps';
import { answerProblem, initializeProblem, sessionProblem, signInProblem } from './checkWords';
import { versionWords } from './connectionReport';

/** The folder for a session of an agent, or why there is none. */
export type CheckPlace = { readonly folder: string } | { readonly problem: StepProblem };

export interface AgentCheckOptions {
  readonly process: SeparateProcessOptions;
  readonly programs: () => Promise<Pick<AgentPrograms, 'prepare' | 'versionOf'>>;
  readonly placeOf: (configuration: AgentConfiguration) => CheckPlace;
  /** A key that worked before, for one of the agent's methods. */
  readonly keyFor: (
    agent: string,
    methods: readonly AuthMethod[],
  ) => Promise<{ readonly methodId: string; readonly key: string } | undefined>;
  /** Secrets that an agent may have learnt from Parley. */
  readonly secrets: () => Iterable<string>;
}

export interface CheckRequest {
  readonly configuration: AgentConfiguration;
  /** The last step: the answer to `initialize`, or a session. */
  readonly until: 'speaks' | 'session';
  /** The user agreed to the installation of a missing package. */
  readonly mayInstall?: boolean;
  /** The user requested a prompt, which may cost tokens. */
  readonly sendsPrompt?: boolean;
}

export interface CheckResult {
  readonly view: CheckView;
  /** The agent's capabilities, if it answered `initialize`. */
  readonly features?: AgentFeatures;
  readonly protocol?: ProtocolVersion;
}

/** Time limits of calls. A package runner may download the agent before the first answer. */
const startMs = 60_000;
const sessionMs = 60_000;
const promptMs = 120_000;

const purpose: SeparatePurpose = { name: 'check', refusal: testRefusal, maxAnswer: 1_000 };

/** Ends a check: its progress has the failed step. */
class StepFailed extends Error {}

/**
 * Starts an agent in its own process, checks it step by step, and ends it. Sessions and their processes are not
 * affected, and the agent can read, write and run nothing through Parley.
 */
export class AgentCheck extends Disposable {
  readonly #processes = new Set<SeparateProcess>();

  constructor(private readonly options: AgentCheckOptions) {
    super();
  }

  /** Checks an agent. Never throws. @param changed is called after each step */
  async run(request: CheckRequest, token: CancellationToken, changed: (view: CheckView) => void): Promise<CheckResult> {
    const { configuration } = request;
    const progress = new CheckProgress(configuration.name, this.#concealer(configuration), changed);
    let said: Pick<CheckResult, 'features' | 'protocol'> = {};
    let process_: SeparateProcess | undefined;
    try {
      const folder = await this.#place(configuration, progress);
      const launch = await this.#prepare(request, folder, progress, token);
      const started = await this.#initialize(
        configuration,
        launch,
        folder,
        progress,
        token,
        (next) => (process_ = next),
      );
      said = { features: started.features, protocol: started.protocol };
      if (request.until === 'session') await this.#open(request, folder, started, progress, token);
      progress.end({ offers: request.until === 'session' && !request.sendsPrompt ? ['sendPrompt'] : [] });
    } catch (error) {
      // The user may also decline an installation.
      const isCancelled = token.isCancellationRequested || (error instanceof StartFailure && error.isCancellation);
      if (!isCancelled && !(error instanceof StepFailed)) {
        this.options.process.log.error(`${configuration.name}: the check failed: ${String(error)}`);
        progress.break(messageOf(error));
      }
      progress.end({ isCancelled });
    } finally {
      await this.#end(process_, token.isCancellationRequested);
    }
    return { view: progress.view, ...said };
  }

  override dispose(): void {
    for (const process_ of this.#processes) process_.dispose();
    super.dispose();
  }

  #concealer({ env }: AgentConfiguration): (text: string) => string {
    const known = [...secretValues(env), ...secretValues(process.env)];
    // A key may be used for the first time during the check.
    return concealer(() => [...this.options.secrets(), ...known]);
  }

  async #place(configuration: AgentConfiguration, progress: CheckProgress): Promise<string> {
    progress.run('folder');
    const place = this.options.placeOf(configuration);
    if ('problem' in place) return this.#failed(progress, 'folder', place.problem);
    const { folder } = place;
    const missing = await missingFolder(configuration, folder);
    if (missing)
      return this.#failed(progress, 'folder', {
        text: missing.text,
        help: missing.help,
        offers: missing.offer === 'editSettings' || missing.offer === 'openFolder' ? [missing.offer] : [],
      });
    progress.pass('folder', folder);
    return folder;
  }

  /** Finds the agent's program. A missing package is installed only if the user agreed to it. */
  async #prepare(
    { configuration, mayInstall }: CheckRequest,
    folder: string,
    progress: CheckProgress,
    token: CancellationToken,
  ): Promise<Launch> {
    const { source } = configuration;
    progress.run('found');
    const programs = await this.options.programs();
    const installed = source && (await programs.versionOf(source));
    if (source && installed === undefined && !mayInstall) {
      const help =
        source.manager === 'archive'
          ? l10n.t('“Install and Check” installs it, as the first start does.')
          : l10n.t('“Install and Check” installs it with {0}, as the first start does.', source.manager);
      return this.#failed(progress, 'found', {
        text: l10n.t('{0} is not installed.', specOf(source)),
        help,
        offers: ['install'],
      });
    }
    const prepared = await programs.prepare(configuration, folder, token, (detail) => progress.run('found', detail));
    if ('cancelled' in prepared || token.isCancellationRequested) throw StartFailure.cancelled();
    if ('missing' in prepared)
      return this.#failed(progress, 'found', {
        text: startFailure(configuration, { missing: true }).detail,
        offers: ['editSettings'],
      });
    if ('failure' in prepared) {
      const { title, detail, stderr, kind } = prepared.failure;
      if (kind !== 'oldNode')
        return this.#failed(progress, 'found', {
          text: `${title}.`,
          help: detail,
          ...(stderr ? { stderr } : {}),
          offers: kind === undefined ? ['editSettings'] : [],
        });
      progress.pass('found', specOf(source!));
      return this.#failed(progress, 'version', { text: `${title}.`, help: detail });
    }
    progress.pass('found', source ? source.name : prepared.configuration.command);
    const version = source && (await programs.versionOf(source));
    if (version !== undefined)
      progress.pass(
        'version',
        prepared.node === undefined ? version : l10n.t('{0}, on Node.js {1}', version, prepared.node),
      );
    return prepared;
  }

  /**
   * Starts the process and waits for the answer to `initialize`. After a refusal of the draft, the agent is asked for
   * version 1, as at a start.
   */
  async #initialize(
    configuration: AgentConfiguration,
    launch: Launch,
    folder: string,
    progress: CheckProgress,
    token: CancellationToken,
    started: (process_: SeparateProcess) => void,
  ) {
    let note: string | undefined;
    for (let version: ProtocolVersion = configuration.protocol ?? 1; ; version = 1) {
      progress.run('starts');
      const [speaks, spawn] = await Promise.all([connectionFor(version), spawner()]);
      let process_: SeparateProcess;
      try {
        process_ = new SeparateProcess(launch, configuration, folder, { speaks, spawn }, this.options.process, purpose);
      } catch (error) {
        return this.#failed(progress, 'starts', {
          text: messageOf(error),
          offers: ['editSettings'],
        });
      }
      this.#processes.add(process_);
      started(process_);
      try {
        const features = await process_.during(process_.connection.initialize(token), startMs, token);
        progress.pass('starts');
        if (configuration.source === undefined)
          progress.pass(
            'version',
            [features.info?.title ?? features.info?.name, features.info?.version]
              .filter(Boolean)
              .join(' ')
              .slice(0, 200) || l10n.t('The agent did not give its version.'),
          );
        progress.pass('speaks', [versionWords(version), note].filter(Boolean).join('. '));
        return { process: process_, features, protocol: version };
      } catch (error) {
        if (token.isCancellationRequested) throw error;
        const refusal = version === 1 ? undefined : versionRefusal(error);
        if (refusal !== undefined) {
          note = l10n.t('The setting asks for version 2, but {0}', refusal);
          await this.#end(process_, true);
          continue;
        }
        const { step, problem } = initializeProblem(error, configuration, process_);
        if (step === 'speaks') progress.pass('starts');
        return this.#failed(progress, step, problem);
      }
    }
  }

  /** Opens a session, which shows whether the agent is signed in, and sends a prompt if the user requested that. */
  async #open(
    { configuration, sendsPrompt }: CheckRequest,
    folder: string,
    { process: process_, features }: { readonly process: SeparateProcess; readonly features: AgentFeatures },
    progress: CheckProgress,
    token: CancellationToken,
  ): Promise<void> {
    const { connection } = process_;
    const methods = offeredMethods(features.authMethods, featuresWith(configuration.capabilities));
    const offered =
      methods.length === 0
        ? []
        : [
            l10n.t(
              'Its sign-in methods: {0}.',
              methods
                .map(({ name }) => name.slice(0, 80))
                .slice(0, 10)
                .join(', '),
            ),
          ];
    const open = () => process_.during(connection.newSession({ cwd: folder, mcpServers: [] }, token), sessionMs, token);
    progress.run('signedIn');
    let sessionId: string;
    try {
      ({ sessionId } = await open().catch(async (error: unknown) => {
        const known = wantsSignIn(error) ? await this.options.keyFor(configuration.name, methods) : undefined;
        if (!known) throw error;
        progress.run('signedIn', l10n.t('Trying the key that worked before.'));
        // A key that no longer helps counts as none.
        await process_
          .during(connection.authenticate(known.methodId, token, known.key), sessionMs, token)
          .catch((refusal: unknown) => Promise.reject(refusal instanceof AcpError ? error : refusal));
        return open();
      }));
    } catch (error) {
      if (token.isCancellationRequested) throw error;
      if (wantsSignIn(error)) return this.#failed(progress, 'signedIn', signInProblem(error, methods, process_.stderr));
      progress.skip('signedIn', [l10n.t('Unknown, because the agent did not open a session.'), ...offered].join(' '));
      return this.#failed(progress, 'session', sessionProblem(error, process_, this.options.process.clock.now()));
    }
    progress.pass('signedIn', [l10n.t('The agent did not ask you to sign in.'), ...offered].join(' '));
    progress.pass('session', l10n.t('Opened without MCP servers.'));
    try {
      if (sendsPrompt) await this.#ask(sessionId, process_, progress, token);
      else progress.skip('answers', l10n.t('Not tried. A test prompt may cost tokens.'));
    } finally {
      this.#leave(sessionId, process_, features);
    }
  }

  async #ask(
    sessionId: string,
    process_: SeparateProcess,
    progress: CheckProgress,
    token: CancellationToken,
  ): Promise<void> {
    progress.run('answers', l10n.t('Waiting for the answer.'));
    try {
      const reason = await process_.during(process_.prompt(sessionId, testPrompt), promptMs, token);
      if (reason !== 'end_turn' || process_.said.trim() === '')
        return this.#failed(progress, 'answers', {
          text: l10n.t('The turn ended without an answer ({0}).', reason.slice(0, 80)),
          help: l10n.t('Run “Parley: Show Log” to see why.'),
          stderr: process_.stderr,
        });
    } catch (error) {
      if (token.isCancellationRequested || error instanceof StepFailed) throw error;
      return this.#failed(progress, 'answers', answerProblem(error, process_, this.options.process.clock.now()));
    }
    progress.pass('answers', `“${process_.said.trim().slice(0, 80)}”`);
  }

  /** Closes and deletes the empty session at the agent. Not awaited: the process ends next. */
  #leave(sessionId: string, { connection }: SeparateProcess, { delete: canDelete, close }: AgentFeatures): void {
    const warn = (error: unknown) =>
      this.options.process.log.debug(`The session of a check was not closed: ${String(error)}`);
    if (close) connection.closeSession(sessionId).catch(warn);
    if (canDelete) connection.deleteSession(sessionId).catch(warn);
  }

  async #end(process_: SeparateProcess | undefined, isHurried: boolean): Promise<void> {
    if (!process_) return;
    await process_.end(isHurried);
    this.#processes.delete(process_);
  }

  #failed(progress: CheckProgress, step: Parameters<CheckProgress['fail']>[0], problem: StepProblem): never {
    progress.fail(step, problem);
    throw new StepFailed(problem.text);
  }
}
