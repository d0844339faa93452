import * as vscode from 'vscode';
import { pendingIn } from '../../changes/pending';
import type { Review } from '../review/review';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';

/** What the demo agent plays for somebody who sees Parley for the first time. */
const tour = '/tour';

/** Lets the demo agent play its tour, and opens the file that it has changed, with the marks of the review. */
export async function startDemo(
  live: LiveSession,
  sessions: Pick<SessionService, 'submit' | 'views'>,
  review: Pick<Review, 'rows'>,
): Promise<void> {
  await sessions.submit({ text: tour, mentions: [], attachments: [] }, live);
  const changed = pendingIn(review.rows, { sessionId: live.id })[0];
  // Who has gone elsewhere meanwhile is not called back.
  if (changed && sessions.views.showing(live.id))
    await vscode.window.showTextDocument(vscode.Uri.file(changed.path), { preserveFocus: true });
}
