import type { NewAttachment } from '../attachments/attachment';
import type { ChatPanels } from '../panel/chatPanels';
import type { SessionService } from '../sessions/sessionService';

export interface PromptTargets {
  readonly sessions: Pick<SessionService, 'active' | 'newSession' | 'views'>;
  readonly panels: Pick<ChatPanels, 'active' | 'reveal' | 'deliver'>;
}

/** A prompt for a new session, with its context. */
export interface NewPrompt {
  readonly agent: string;
  /** Our own id of the session whose view shows the new one. */
  readonly from: string;
  /** Where it works if not in the agent's usual folder, given the folders that it would have. */
  readonly place: (roots: readonly string[]) => { readonly cwd: string; readonly roots: readonly string[] } | undefined;
  readonly text: string;
  readonly attachment: NewAttachment;
}

/** Puts a prompt into the message box of a new session, where the user reads and sends it. Starts its agent. */
export async function openPrompt({ sessions, panels }: PromptTargets, prompt: NewPrompt): Promise<void> {
  const view = sessions.views.showing(prompt.from) ?? sessions.views.active;
  await sessions.newSession(view, prompt.agent, async () => {
    const { connection, roots } = sessions.active;
    const place = prompt.place(roots);
    if (place) connection.moveTo(place.cwd, place.roots);
    await panels.reveal();
    const refused = await panels.active.draft.add(prompt.attachment);
    if (refused !== undefined) panels.deliver({ type: 'composer/say', text: refused });
    panels.deliver({ type: 'draft/restore', text: prompt.text, mentions: [] });
  });
}
