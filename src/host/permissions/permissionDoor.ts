import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { CancellationToken } from '../../base/cancellation';
import type { SuggestedRule } from '../../permission/suggestRules';
import type { Session } from '../../thread/session';
import type { PermissionGate } from './permissionGate';

/** The permission gate as other parts see it; its code is loaded with the first permission request. */
export class PermissionDoor {
  #loading: Promise<PermissionGate> | undefined;

  constructor(private readonly load: () => Promise<PermissionGate>) {}

  /** Whether this window has had a permission request, which is answered before its turn ends. */
  get wasAsked(): boolean {
    return this.#loading !== undefined;
  }

  /** See `PermissionGate.request`. */
  async request(
    session: Session,
    params: PermissionParams,
    token: CancellationToken,
  ): Promise<RequestPermissionResponse> {
    // Read the subject now: the agent may change the call while the code is loading.
    const asked = { sessionId: session.sessionId, subject: session.subjectOf(params) };
    return (await this.#loaded()).request(session, params, token, asked);
  }

  /** See `PermissionGate.suggest`. */
  async suggest(session: Session, name: string): Promise<readonly SuggestedRule[] | undefined> {
    return (await this.#loaded()).suggest(session, name);
  }

  #loaded(): Promise<PermissionGate> {
    return (this.#loading ??= this.load());
  }
}
