/* A session as the editor's tools see it, in a folder of its own. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunQuestion } from '../../src/host/editor/askToRun';
import type { SessionTerminals, ToolSession } from '../../src/host/editor/toolSession';
import { FakeClock } from './fakeClock';

export class ToolDesk {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-test-')));
  readonly clock = new FakeClock();
  /** What the user was asked. */
  readonly asked: string[] = [];
  /** What the user answers. */
  allows = true;
  /** What happens while the user is asked. */
  meanwhile: () => void = () => undefined;
  readonly calls: { readonly method: string; readonly params: unknown }[] = [];
  output = '';
  exit: { readonly exitCode: number | null; readonly signal: string | null } | undefined = {
    exitCode: 0,
    signal: null,
  };

  readonly terminals: SessionTerminals = {
    createTerminal: async (params) => {
      this.calls.push({ method: 'create', params });
      return { terminalId: 'term-1' };
    },
    waitForTerminalExit: (_, token) =>
      new Promise((resolve, reject) => {
        if (this.exit) resolve(this.exit);
        token.onCancellationRequested(() => reject(new Error('cancelled')));
      }),
    terminalOutput: async () => ({
      output: this.output,
      truncated: false,
      ...(this.exit ? { exitStatus: this.exit } : {}),
    }),
    killTerminal: async () => void this.calls.push({ method: 'kill', params: undefined }),
    releaseTerminal: async () => void this.calls.push({ method: 'release', params: undefined }),
    show: async () => void this.calls.push({ method: 'show', params: undefined }),
  };

  /** @param more what a tool needs besides */
  session(more: Partial<ToolSession> = {}): ToolSession {
    return {
      scope: { sessionId: 's', agent: 'Agent', cwd: this.folder, roots: [this.folder] },
      clock: this.clock,
      terminals: this.terminals,
      pending: async () => [],
      turnProblems: () => undefined,
      noteLook: () => undefined,
      remark: async () => true,
      ask: async ({ title, input }: RunQuestion) => {
        this.asked.push(input ? `${title} ${JSON.stringify(input)}` : title);
        this.meanwhile();
        return this.allows;
      },
      files: {
        readTextFile: async () => ({ content: '' }),
        writeTextFile: async () => undefined,
      },
      ...more,
    } as ToolSession;
  }

  methods(): readonly string[] {
    return this.calls.map(({ method }) => method);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
