/** A live event from the agent for the user; not part of the conversation. Plain text. */
export interface AgentNoticeView {
  readonly id: string;
  /** `other`: a severity that this version does not know. */
  readonly severity: 'info' | 'warning' | 'error' | 'other';
  readonly title: string;
  readonly description?: string;
}
