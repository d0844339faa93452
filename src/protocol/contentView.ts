/**
 * One part of a user's or an agent's message. Agent text is Markdown unless it is plain, and hostile until sanitised.
 */
export type ContentView =
  | { readonly type: 'text'; readonly text: string; /** No Markdown: what a tool gave. */ readonly isPlain?: true }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string; readonly uri?: string }
  | { readonly type: 'audio'; readonly mimeType: string; readonly data: string }
  /** `text` is absent for binary resources and bounded for large ones. */
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly label: string;
      readonly mimeType?: string;
      readonly text?: string;
    }
  | {
      readonly type: 'resourceLink';
      readonly uri: string;
      readonly label: string;
      readonly description?: string;
      readonly size?: number;
    }
  /** A block of an unknown kind; `kind` is the agent's word for it. */
  | { readonly type: 'unknown'; readonly kind: string };
