import type { Later } from '../../base/later';
import type { ApiAccess } from './apiAccess';
import type { AskAgent } from './askAgent';
import type { AskActs } from './askIds';
import type { ContinueWith } from './continueWith';
import type { InlinePrompt } from './inlinePrompt';
import type { PendingReview } from './pendingReview';
import type { RemarkThreads } from './remarkThreads';
import type { SourceControlAsks } from './sourceControl';

/** What the commands need; each is loaded with its first use. */
export interface AskServices {
  readonly ask: Later<AskAgent>;
  readonly sourceControl: Later<SourceControlAsks>;
  readonly remarks: Later<RemarkThreads>;
  readonly inline: Later<InlinePrompt>;
  readonly access: Later<ApiAccess>;
  readonly continueWith: Later<ContinueWith>;
  readonly review: Later<PendingReview>;
}

/** The commands of the submenus “Ask Agent”, of quick fixes, of Source Control, and of the remarks of a review. */
export function askActs({ ask, sourceControl, remarks, inline, access, continueWith, review }: AskServices): AskActs {
  const remark = async (act: 'fix' | 'explain', thread: unknown) => {
    const reference = remarks.opened?.referenceOf(thread);
    if (reference) await (await ask.get()).askAbout(act, { kind: 'remark', ...reference });
  };
  return {
    'parley.askExplain': async (...args) => (await ask.get()).ask('explain', undefined, args),
    'parley.askFix': async (...args) => (await ask.get()).ask('fix', undefined, args),
    'parley.askReview': async (...args) => (await ask.get()).ask('review', undefined, args),
    'parley.askTests': async (...args) => (await ask.get()).ask('tests', undefined, args),
    'parley.askTerminalExplain': async () => (await ask.get()).ask('explain', 'terminal', []),
    'parley.askTerminalFix': async () => (await ask.get()).ask('fix', 'terminal', []),
    'parley.askConsoleExplain': async () => (await ask.get()).ask('explain', 'debugConsole', []),
    'parley.askConsoleFix': async () => (await ask.get()).ask('fix', 'debugConsole', []),
    'parley.askHow': async () => (await ask.get()).chooseHow(),
    'parley.askInline': async () => (await inline.get()).ask(),
    'parley.continueSession': async (id, agent) => (await continueWith.get()).run(textIn(id), textIn(agent)),
    'parley.apiAccess': async () => (await access.get()).choose(),
    'parley.commitMessage': async (repository) => (await sourceControl.get()).writeMessage(repository),
    'parley.commitMessageWith': async (repository) => (await sourceControl.get()).writeMessage(repository, true),
    'parley.reviewRepository': async (repository) => (await sourceControl.get()).review(repository),
    'parley.stopRepository': () => sourceControl.opened?.stop(),
    'parley.reviewPending': async (row, rows) => (await review.get()).review(row, rows),
    'parley.sendRemark': async (thread) => (await review.get()).send(thread),
    'parley.sendRemarks': async () => (await review.get()).sendAll(),
    'parley.fixRemark': (thread) => remark('fix', thread),
    'parley.explainRemark': (thread) => remark('explain', thread),
    'parley.dismissRemark': (thread) => remarks.opened?.dismiss(thread),
    'parley.dismissRemarks': () => remarks.opened?.dismissAll(),
  };
}

/** A name from a menu or another extension, which may be any value. */
function textIn(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : undefined;
}
