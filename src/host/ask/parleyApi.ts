import type { Disposable, Event, ExtensionContext } from 'vscode';

/** What activating the extension `parley.parley` resolves to. */
export interface ParleyExports {
  /**
   * Asks the user, once for each extension, whether it may use Parley.
   * @param version of the API
   * @param context that VS Code gave to your `activate`
   * @throws Error for an unknown version, an extension that is not installed, or if the user does not agree
   */
  getApi(version: 1, context: ExtensionContext): Promise<ParleyApi>;
}

/** Every method throws after the user has withdrawn the access. */
export interface ParleyApi {
  readonly version: 1;
  /** Names of the agents that can be used. */
  agents(): readonly string[];
  /**
   * Adds an agent to this window until it is disposed. The user sees the whole command and agrees to it first, once for
   * each command. Nothing starts.
   * @throws Error if the name is taken or looks like another one, the command is not an absolute path, or the user
   * does not agree
   */
  registerAgent(agent: ApiAgent): Promise<Disposable>;
  /** Makes a session, which is empty until its first prompt. @param agent its name; by default that of the chat */
  openSession(agent?: string): ParleySession;
  /** Adds a text to the message that the user is writing. Sends nothing. */
  addContext(context: ApiContext): Promise<void>;
}

export interface ApiAgent {
  readonly name: string;
  /** Absolute path of a program that speaks the Agent Client Protocol on stdin and stdout. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A text for the agent. At most 512 K characters; the rest is cut. */
export interface ApiContext {
  readonly label: string;
  readonly text: string;
}

/** A session that your extension opened. The user finds it in the list, and answers its permission requests. */
export interface ParleySession {
  readonly id: string;
  readonly agent: string;
  readonly onDidUpdate: Event<ApiUpdate>;
  /**
   * Sends a prompt and resolves when its turn has ended.
   * @throws Error in Restricted Mode, for an empty or too long prompt, and while another turn runs
   */
  prompt(text: string, context?: readonly ApiContext[]): Promise<ApiAnswer>;
  /** Stops the running turn. */
  stop(): void;
  /** Shows the session in the chat. */
  show(): Promise<void>;
}

/** `stopReason` as the agent spelled it; "end_turn" is the usual one. `text` is Markdown of the agent. */
export interface ApiAnswer {
  readonly stopReason: string;
  readonly text: string;
}

/** Texts come from the agent: do not trust them. More types may be added. */
export type ApiUpdate =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly title?: string; readonly status?: string }
  /** A permission request waits for the user. */
  | { readonly type: 'permission'; readonly title: string }
  | { readonly type: 'end'; readonly stopReason: string };
