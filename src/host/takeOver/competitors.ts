import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionOption } from '../../thread/sessionOptions';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { LiveSession } from '../sessions/liveSession';
import type { KnownModels } from '../sessions/optionMemory';
import type { Competitor } from './chosenAgents';

/** So many agents get one prompt. */
export const MOST = 4;

/** "Agent" or "Agent · Model". */
export function competitorName({ agent, model }: Competitor): string {
  return model ? `${agent} · ${model.name}` : agent;
}

/** The option of a session with which its model is chosen. */
export function modelOf({
  session,
}: Pick<LiveSession, 'session'>): Extract<SessionOption, { readonly type: 'select' }> | undefined {
  const option = session.thread.options.shown.find(({ role }) => role === 'model');
  return option?.type === 'select' ? option : undefined;
}

/**
 * Lets the user choose who works on a prompt beside the agent of a session: other agents, or models of one. Models are
 * those that an open session of the agent offers, or that its last session offered.
 * @param before who was chosen so far, with the session's own agent first
 * @param remembered the models of an agent without an open session
 * @returns undefined if the user cancels
 */
export async function pickCompetitors(
  live: LiveSession,
  before: readonly Competitor[],
  agents: readonly { readonly name: string }[],
  open: readonly LiveSession[],
  remembered: (agent: string) => KnownModels | undefined,
): Promise<readonly Competitor[] | undefined> {
  const own = modelOf(live)?.current;
  const rows = agents.flatMap(({ name: agent }) => {
    const models = offeredModels(agent === live.agent ? [live, ...open] : open, agent) ?? remembered(agent);
    const of = (competitor: Competitor) => ({
      competitor,
      label: plainText(competitorName(competitor)),
      picked: before.slice(1).some((other) => competitorName(other) === competitorName(competitor)),
    });
    const listed: Competitor[] = (models?.choices ?? [])
      .filter(({ value }) => agent !== live.agent || value !== own)
      .map(({ value, name }) => ({ agent, model: { key: models!.key, value, name } }));
    const all = [...(agent === live.agent ? [] : [{ agent }]), ...listed].map(of);
    if (listed.length === 0) return all;
    return [{ label: plainText(agent), kind: vscode.QuickPickItemKind.Separator, competitor: { agent } }, ...all];
  });
  const picked = await markedWindow.showQuickPick(rows, {
    canPickMany: true,
    title: l10n.t('One Prompt for Several Agents'),
    placeHolder: l10n.t('Who works on it beside {0}? Up to {1}', live.agent, MOST - 1),
  });
  return picked?.slice(0, MOST - 1).map(({ competitor }) => competitor);
}

function offeredModels(sessions: readonly LiveSession[], agent: string): KnownModels | undefined {
  return sessions
    .filter((item) => item.agent === agent)
    .map(modelOf)
    .find((option) => option !== undefined && option.choices.length > 1);
}

/**
 * Has a session work with a model. Its agent is started for it.
 * @returns whether it does
 */
export async function selectModel(
  item: LiveSession,
  { key, value }: NonNullable<Competitor['model']>,
): Promise<boolean> {
  if (!(await item.connection.tryAttach())) return false;
  await item.session.setOption(key, value).catch(() => undefined);
  return modelOf(item)?.current === value;
}
