import * as vscode from 'vscode';
import type { FromWebview } from '../../protocol/fromWebview';
import type { PendingElicitations } from '../../thread/pendingElicitations';

type ElicitationMessage = Extract<FromWebview, { type: `elicitation/${string}` }>;

/** Pages that VS Code is asking about: a second click must not ask a second time. */
const opening = new Set<string>();

/** Does what the user decided about an elicitation. One that does not wait any more is left as it is. */
export async function answerElicitation(message: ElicitationMessage, elicitations: PendingElicitations): Promise<void> {
  const { requestId } = message;
  switch (message.type) {
    case 'elicitation/submit': {
      const [{ answerForm }, { checkPattern }] = await Promise.all([
        import('../../thread/formAnswer'),
        import('../../node/patternCheck'),
      ]);
      return elicitations.submit(requestId, (form) =>
        answerForm(form, new Map(Object.entries(message.values)), checkPattern),
      );
    }
    case 'elicitation/open':
      return open(requestId, elicitations);
    case 'elicitation/decline':
      return elicitations.decline(requestId);
    case 'elicitation/cancel':
      return elicitations.cancel(requestId);
  }
}

/**
 * The agent hears of the consent only once the page is open; VS Code may still ask, and the user may think better of
 * it.
 */
async function open(requestId: string, elicitations: PendingElicitations): Promise<void> {
  const page = elicitations.pageOf(requestId);
  if (!page || opening.has(requestId)) return;
  opening.add(requestId);
  try {
    // A Uri would write the query anew; the API takes the address as it stands, too.
    if (await vscode.env.openExternal(page.url as unknown as vscode.Uri)) elicitations.opened(requestId);
  } finally {
    opening.delete(requestId);
  }
}
