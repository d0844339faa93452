import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleLine } from '../../base/visibleText';
import { fileCount } from '../../protocol/format';
import { type LiveRow, pickLive } from '../platform/liveList';
import { shownWait } from '../platform/longWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { Draft } from '../sessions/draft';
import type { LiveSession } from '../sessions/liveSession';
import type { OptionMemory } from '../sessions/optionMemory';
import type { Worktree } from '../worktrees/worktree';
import type { ChosenAgents, Competitor } from './chosenAgents';
import { changeWords, ComparedSides, iconOf, type Side, type SideServices } from './comparedSides';
import type { Comparison, Comparisons } from './comparisons';
import { competitorName, modelOf, pickCompetitors, selectModel } from './competitors';
import type { WorktreeChange } from './worktreeChanges';
import type { WorktreeCommands } from './worktreeCommands';

export interface CompareServices {
  readonly sides: SideServices;
  readonly chosen: ChosenAgents;
  readonly comparisons: Comparisons;
  readonly commands: Pick<WorktreeCommands, 'takeOver' | 'discard'>;
  readonly agents: () => readonly { readonly name: string }[];
  readonly options: Pick<OptionMemory, 'modelsOf'>;
}

/** A row of the view. `act` returns whether the view opens again. */
interface Row extends LiveRow {
  readonly act?: () => Promise<boolean>;
}

/** One prompt for several agents, each in a worktree of its own, and the view that compares what they made. */
export class CompareAgents {
  constructor(private readonly services: CompareServices) {}

  /** Lets the user choose who else gets the next prompt of a session. @returns false if they cancel */
  async choose(live: LiveSession): Promise<boolean> {
    const { chosen, agents, sides, options } = this.services;
    const known = (agent: string) => options.modelsOf(agent);
    const others = await pickCompetitors(live, chosen.of(live.id), agents(), sides.sessions.open, known);
    if (!others) return false;
    chosen.choose(live.id, others.length === 0 ? [] : [{ agent: live.agent }, ...others]);
    return others.length > 0;
  }

  /**
   * Sends a prompt to all chosen agents. Resolves when the first one has ended its turn.
   * @param all with the session's own agent first
   */
  async begin(draft: Draft, live: LiveSession, all: readonly Competitor[]): Promise<void> {
    const { chosen, comparisons } = this.services;
    const { sessions, clock } = this.services.sides;
    const title = draft.text.trim().split('\n', 1)[0]!;
    chosen.choose(live.id, []);
    const sides = all.map((competitor, i) => ({
      competitor,
      item: i === 0 ? live : sessions.another(competitor.agent),
      name: i === 0 ? ownName(live, all) : competitorName(competitor),
    }));
    const leaveOut = (name: string, detail: string) =>
      live.session.notify({ severity: 'warning', title: l10n.t('Not asked: {0}', name), detail });
    // An agent whose configuration names another folder would work in that one, beside the user.
    const able = sides.filter(({ item }) => item.placeChoice !== undefined);
    for (const { name } of sides.filter((side) => !able.includes(side)))
      leaveOut(name, l10n.t('No worktree can be created from the folder in its configuration.'));
    const comparison = await comparisons.add({
      title,
      sessions: able.map(({ item }) => item.id),
      names: able.map(({ name }) => name),
      at: clock.now(),
    });
    const sent = able.map(async ({ item, name, competitor: { model } }) => {
      if (!model || (await selectModel(item, model))) return item.submit(draft, `${name} ${title}`);
      leaveOut(name, l10n.t('Its model could not be selected.'));
      await comparisons.leave(comparison, item.id);
    });
    for (const turn of sent.slice(1)) turn.catch(() => undefined);
    await sent[0];
  }

  /** The comparison that a session belongs to. */
  of(sessionId: string): Comparison | undefined {
    return this.services.comparisons.of(sessionId);
  }

  /** Compares what the agents made, until the user leaves. The view follows what they do. */
  async show(comparison: Comparison): Promise<void> {
    const sides = new ComparedSides(comparison, this.services.sides);
    await sides.open();
    for (;;) {
      const picked = await pickLive<Row>(
        { title: plainText(l10n.t('Compare: {0}', comparison.title), 200), matchOnDescription: true },
        () => this.#rows(sides),
        (redraw) => sides.follow(redraw),
      );
      if (!(await picked?.act?.())) return;
    }
  }

  #rows(sides: ComparedSides): readonly Row[] {
    const { tests } = this.services.sides;
    const agents = sides.all.map((side) => ({
      key: `agent ${side.live.id}`,
      label: `$(${iconOf(side)}) ${plainText(side.name)}`,
      description: sides.about(side),
      act: () => this.#actOnSide(side),
    }));
    const files = sides.files.map((label) => ({
      key: `file ${label}`,
      label: `$(file) ${plainText(label)}`,
      description: sides.all
        .flatMap((side) => {
          const change = side.changes.find((other) => other.label === label);
          return change ? `${plainText(side.name)} ${changeWords(change)}` : [];
        })
        .join(' · '),
      act: () => this.#actOnFile(label, sides.all),
    }));
    const separator = (label: string) => ({ key: '', label, kind: vscode.QuickPickItemKind.Separator });
    const canTest = vscode.workspace.isTrusted && sides.all.some(({ worktree }) => worktree);
    const test = {
      key: 'test',
      label: `$(beaker) ${l10n.t('Run Tests…')}`,
      description: plainText(tests.command, 100),
      act: () => this.#test(sides),
    };
    const end = {
      key: 'end',
      label: `$(trash) ${l10n.t('Clean Up…')}`,
      act: () => this.#cleanUp(sides),
    };
    return [
      separator(l10n.t('Agents')),
      ...agents,
      separator(''),
      ...(canTest ? [test] : []),
      end,
      // Last: they become more while agents work, and nothing moves under the mouse.
      ...(files.length > 0 ? [separator(l10n.t('Changed files')), ...files] : []),
    ];
  }

  /** Runs a command that the user names in each worktree. The view shows how it goes. */
  async #test({ all, comparison: { sessions } }: ComparedSides): Promise<boolean> {
    const { tests } = this.services.sides;
    if (tests.isBusy(sessions)) {
      void markedWindow.showInformationMessage(l10n.t('Tests run already. Their terminals can be stopped.'));
      return true;
    }
    const command = await tests.ask();
    const trees = all.flatMap(({ live, worktree }) => (worktree ? [{ sessionId: live.id, worktree }] : []));
    if (command !== undefined) void tests.run(command, trees);
    return true;
  }

  async #actOnSide({ live, name, worktree }: Side): Promise<boolean> {
    const { commands, sides } = this.services;
    const show = { label: `$(comment-discussion) ${l10n.t('Show Session')}` };
    const take = { label: `$(git-merge) ${l10n.t('Take Over Changes…')}` };
    const picked = await markedWindow.showQuickPick([...(worktree ? [take] : []), show], {
      title: plainText(name),
    });
    if (picked === show) {
      await sides.sessions.openSession(live.id);
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
    const takes = having.map(({ live, name, worktree, change }) => ({
      label: `$(git-merge) ${l10n.t('Take Over from {0}…', plainText(name))}`,
      description: changeWords(change),
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
    const { worktrees } = this.services.sides;
    const rows = having.map(({ worktree, change: { base, theirs } }) => {
      const uri = vscode.Uri.joinPath(vscode.Uri.file(worktree.path), label);
      const before = base.kind === 'absent' ? undefined : worktrees.atCommit(uri, worktree.base);
      return [uri, before, theirs.kind === 'absent' ? undefined : uri];
    });
    await vscode.commands.executeCommand('vscode.changes', visibleLine(l10n.t('{0}: Versions', label)), rows);
  }

  /** Removes the worktrees with all that was not taken over, after one question. */
  async #cleanUp(sides: ComparedSides): Promise<boolean> {
    const { comparisons, commands } = this.services;
    const { tests } = this.services.sides;
    await shownWait(l10n.t('Comparing {0} agents', sides.comparison.sessions.length), sides.readAll());
    const trees = sides.all.flatMap(({ worktree, ...side }) => (worktree ? [{ ...side, worktree }] : []));
    const clean = l10n.t('Clean Up');
    const chosen = await markedWindow.showWarningMessage(
      l10n.t('Remove the worktrees of this comparison, with all changes in them?'),
      {
        modal: true,
        detail: [
          ...trees.map(
            ({ name, changes, isRead }) =>
              `${name}: ${isRead ? fileCount(changes.length) : l10n.t('Its files cannot be read.')}`,
          ),
          l10n.t('What you have taken over stays. Sessions and commits stay, too.'),
        ].join('\n'),
      },
      clean,
    );
    if (chosen !== clean) return true;
    const left: string[] = [];
    for (const { live, name, worktree } of trees) {
      const why = tests.isBusy([live.id]) ? l10n.t('Its tests run.') : await commands.discard(worktree);
      if (why !== undefined) left.push(`${name}: ${why}`);
    }
    if (left.length === 0) await comparisons.remove(sides.comparison.id);
    else void markedWindow.showWarningMessage(l10n.t('Some worktrees stay. {0}', left.join(' ')));
    return false;
  }
}

/** The session's own agent needs its model in its name only where another one of the same agent works beside it. */
function ownName(live: LiveSession, all: readonly Competitor[]): string {
  const { agent } = live;
  const model = modelOf(live);
  const choice = model?.choices.find(({ value }) => value === model.current);
  const isAlone = !all.slice(1).some((other) => other.agent === agent);
  return isAlone || !model || !choice
    ? agent
    : competitorName({ agent, model: { key: model.key, value: choice.value, name: choice.name } });
}
