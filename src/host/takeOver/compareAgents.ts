import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleLine } from '../../base/visibleText';
import type { Clock } from '../../base/scheduler';
import { linesOf } from '../../changes/lineEdits';
import { fileCount, formatCost, formatDuration, formatTokens } from '../../protocol/format';
import { waitsForUser } from '../../thread/thread';
import { decodeTotals } from '../../thread/usageTotals';
import { shownWait } from '../platform/longWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { Draft } from '../sessions/draft';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';
import type { ChosenAgents } from './chosenAgents';
import type { Comparison, Comparisons } from './comparisons';
import { type WorktreeChange, worktreeChanges } from './worktreeChanges';
import type { WorktreeCommands } from './worktreeCommands';

/** So many agents get one prompt. */
const MOST = 4;

export interface CompareServices {
  readonly chosen: ChosenAgents;
  readonly comparisons: Comparisons;
  readonly worktrees: Worktrees;
  readonly commands: Pick<WorktreeCommands, 'takeOver' | 'discard'>;
  readonly sessions: SessionService;
  readonly agents: () => readonly { readonly name: string }[];
  readonly clock: Clock;
}

/** What one agent made of the prompt. */
interface Side {
  readonly live: LiveSession;
  readonly worktree: Worktree | undefined;
  readonly changes: readonly WorktreeChange[];
}

/** One prompt for several agents, each in a worktree of its own, and the view that compares what they made. */
export class CompareAgents {
  constructor(private readonly services: CompareServices) {}

  /** Lets the user choose who else gets the next prompt of a session. @returns false if they cancel */
  async choose(live: LiveSession): Promise<boolean> {
    const { chosen, agents } = this.services;
    const before = chosen.of(live.id);
    const others = agents().filter(({ name }) => name !== live.agent);
    const picked = await markedWindow.showQuickPick(
      others.map(({ name }) => ({ label: plainText(name), name, picked: before.includes(name) })),
      {
        canPickMany: true,
        title: l10n.t('One Prompt for Several Agents'),
        placeHolder: l10n.t('Who works on it beside {0}? Up to {1}', live.agent, MOST - 1),
      },
    );
    if (!picked) return false;
    chosen.choose(
      live.id,
      picked.length === 0 ? [] : [live.agent, ...picked.slice(0, MOST - 1).map(({ name }) => name)],
    );
    return picked.length > 0;
  }

  /** Sends a prompt to all chosen agents. Resolves when the first one has ended its turn. */
  async begin(draft: Draft, live: LiveSession, agents: readonly string[]): Promise<void> {
    const { chosen, comparisons, sessions, clock } = this.services;
    const title = draft.text.trim().split('\n', 1)[0]!;
    const wanted = agents.map((name) => (name === live.agent ? live : sessions.another(name)));
    // An agent whose configuration names another folder would work in that one, beside the user.
    const items = wanted.filter(({ placeChoice }) => placeChoice !== undefined);
    const others = wanted.filter((item) => !items.includes(item)).map(({ agent }) => agent);
    if (others.length > 0)
      live.session.notify({
        severity: 'warning',
        title: l10n.t('Not asked: {0}', others.join(', ')),
        detail: l10n.t('No worktree can be created from the folder in its configuration.'),
      });
    chosen.choose(live.id, []);
    await comparisons.add(
      title,
      items.map(({ id }) => id),
      clock.now(),
    );
    const sent = items.map((item) => item.submit(draft, `${item.agent} ${title}`));
    for (const turn of sent.slice(1)) turn.catch(() => undefined);
    await sent[0];
  }

  /** The comparison that a session belongs to. */
  of(sessionId: string): Comparison | undefined {
    return this.services.comparisons.of(sessionId);
  }

  /** Compares what the agents made, until the user leaves. */
  async show(comparison: Comparison): Promise<void> {
    for (;;) {
      const sides = await shownWait(
        l10n.t('Comparing {0} agents', comparison.sessions.length),
        this.#sidesOf(comparison),
      );
      const act = await this.#ask(comparison, sides);
      if (!act) return;
      if (!(await act())) return;
    }
  }

  /** @returns what the user chose, which returns whether the view opens again */
  async #ask(comparison: Comparison, sides: readonly Side[]): Promise<(() => Promise<boolean>) | undefined> {
    const agents = sides.map((side) => ({
      label: `$(${iconOf(side.live)}) ${plainText(side.live.agent)}`,
      description: this.#about(comparison, side),
      act: () => this.#actOnSide(side),
    }));
    const files = filesOf(sides).map((label) => ({
      label: `$(file) ${plainText(label)}`,
      description: sides
        .flatMap((side) => {
          const change = side.changes.find((other) => other.label === label);
          return change ? `${plainText(side.live.agent)} ${counts([change])}` : [];
        })
        .join(' · '),
      act: () => this.#actOnFile(label, sides),
    }));
    const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, act: undefined });
    const again = { label: `$(refresh) ${l10n.t('Refresh')}`, act: async () => true };
    const end = { label: `$(trash) ${l10n.t('Clean Up…')}`, act: () => this.#cleanUp(comparison, sides) };
    const picked = await markedWindow.showQuickPick(
      [
        separator(l10n.t('Agents')),
        ...agents,
        ...(files.length > 0 ? [separator(l10n.t('Changed files')), ...files] : []),
        separator(''),
        again,
        end,
      ],
      { title: plainText(l10n.t('Compare: {0}', comparison.title), 200), matchOnDescription: true },
    );
    return picked?.act;
  }

  async #actOnSide({ live, worktree }: Side): Promise<boolean> {
    const { sessions, commands } = this.services;
    const show = { label: `$(comment-discussion) ${l10n.t('Show Session')}` };
    const take = { label: `$(git-merge) ${l10n.t('Take Over Changes…')}` };
    const picked = await markedWindow.showQuickPick([...(worktree ? [take] : []), show], {
      title: plainText(live.agent),
    });
    if (picked === show) {
      await sessions.openSession(live.id);
      return false;
    }
    return picked !== take || !worktree || !(await commands.takeOver(live, worktree));
  }

  async #actOnFile(label: string, sides: readonly Side[]): Promise<boolean> {
    const having = sides.flatMap((side) => {
      const change = side.changes.find((other) => other.label === label);
      return change && side.worktree ? [{ ...side, worktree: side.worktree, change }] : [];
    });
    const diff = {
      label: `$(diff-multiple) ${l10n.t('Open Side by Side')}`,
      act: async () => {
        await this.#openVersions(label, having);
        return false;
      },
    };
    const takes = having.map(({ live, worktree, change }) => ({
      label: `$(git-merge) ${l10n.t('Take Over from {0}…', plainText(live.agent))}`,
      description: counts([change]),
      act: async () => !(await this.services.commands.takeOver(live, worktree, label)),
    }));
    const picked = await markedWindow.showQuickPick([diff, ...takes], { title: plainText(label) });
    return picked ? picked.act() : true;
  }

  /** The versions of a file, each against the commit that its worktree began with. */
  async #openVersions(
    label: string,
    having: readonly { readonly worktree: Worktree; readonly change: WorktreeChange }[],
  ): Promise<void> {
    const { worktrees } = this.services;
    const rows = having.map(({ worktree, change: { base, theirs } }) => {
      const uri = vscode.Uri.joinPath(vscode.Uri.file(worktree.path), label);
      const before = base.kind === 'absent' ? undefined : worktrees.atCommit(uri, worktree.base);
      return [uri, before, theirs.kind === 'absent' ? undefined : uri];
    });
    await vscode.commands.executeCommand('vscode.changes', visibleLine(l10n.t('{0}: Versions', label)), rows);
  }

  /** Removes the worktrees with all that was not taken over, after one question. */
  async #cleanUp(comparison: Comparison, sides: readonly Side[]): Promise<boolean> {
    const { comparisons, commands } = this.services;
    const trees = sides.flatMap(({ live, worktree, changes }) => (worktree ? [{ live, worktree, changes }] : []));
    const clean = l10n.t('Clean Up');
    const chosen = await markedWindow.showWarningMessage(
      l10n.t('Remove the worktrees of this comparison, with all changes in them?'),
      {
        modal: true,
        detail: [
          ...trees.map(({ live, changes }) => `${live.agent}: ${fileCount(changes.length)}`),
          l10n.t('What you have taken over stays. Sessions and commits stay, too.'),
        ].join('\n'),
      },
      clean,
    );
    if (chosen !== clean) return true;
    const left: string[] = [];
    for (const { live, worktree } of trees) {
      const why = await commands.discard(live, worktree);
      if (why !== undefined) left.push(`${live.agent}: ${why}`);
    }
    if (left.length === 0) await comparisons.remove(comparison.id);
    else void markedWindow.showWarningMessage(l10n.t('Some worktrees stay. {0}', left.join(' ')));
    return false;
  }

  async #sidesOf({ sessions: ids }: Comparison): Promise<readonly Side[]> {
    const { sessions, worktrees } = this.services;
    const found = await Promise.all(ids.map((id) => sessions.get(id).catch(() => undefined)));
    return Promise.all(
      found
        .flatMap((live) => (live ? [live] : []))
        .map(async (live): Promise<Side> => {
          const { worktree } = live;
          const changes = worktree ? await worktreeChanges(worktree, worktrees).catch(() => undefined) : undefined;
          return { live, worktree, changes: changes?.changes ?? [] };
        }),
    );
  }

  #about({ at }: Comparison, { live, worktree, changes }: Side): string {
    const { sessions, clock } = this.services;
    const { isRunning, thread } = live.session;
    const record = sessions.record(live.id);
    const spent = decodeTotals(record?.usage)?.all;
    const until = isRunning ? clock.now() : (record?.updatedAt ?? at);
    return [
      waitsForUser(thread)
        ? l10n.t('waits for you')
        : isRunning
          ? l10n.t('works')
          : live.hasFailed
            ? l10n.t('failed')
            : l10n.t('done'),
      formatDuration(Math.max(0, until - at)),
      worktree === undefined ? l10n.t('no worktree') : fileCount(changes.length),
      ...(changes.length > 0 ? [counts(changes)] : []),
      ...(spent?.tokens === undefined ? [] : [l10n.t('{0} tokens', formatTokens(spent.tokens))]),
      ...(spent?.cost ? [formatCost(spent.cost.amount, spent.cost.currency)] : []),
    ].join(' · ');
  }
}

function iconOf({ session, hasFailed }: LiveSession): string {
  return waitsForUser(session.thread) ? 'bell-dot' : session.isRunning ? 'loading~spin' : hasFailed ? 'error' : 'check';
}

function filesOf(sides: readonly Side[]): readonly string[] {
  return [...new Set(sides.flatMap(({ changes }) => changes.map(({ label }) => label)))].toSorted();
}

/** "+3 −1": added and removed lines. */
function counts(changes: readonly WorktreeChange[]): string {
  let [added, removed] = [0, 0];
  for (const { edits, base, theirs } of changes) {
    if (edits.length === 0) {
      added += theirs.kind === 'text' ? linesOf(theirs.text).length : 0;
      removed += base.kind === 'text' ? linesOf(base.text).length : 0;
    }
    for (const { start, end, lines } of edits) {
      added += lines.length;
      removed += end - start;
    }
  }
  return `+${added} −${removed}`;
}
