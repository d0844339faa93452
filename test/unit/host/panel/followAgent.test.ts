import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { FollowAgent } from '../../../../src/host/panel/followAgent';
import type { ThreadAction } from '../../../../src/thread/actions';
import { FakeClock } from '../../../fakes/fakeClock';
import { uriOf } from '../../../fakes/fakeUri';
import { resetVscode, tabGroups, type TabInputText } from '../../../fakes/fakeVscode';

/* Which files of an agent are followed. `followTab.test.ts` has how one is shown. */

vi.mock('vscode', async () => {
  const fake = await import('../../../fakes/fakeVscode');
  const { uriOf } = await import('../../../fakes/fakeUri');
  const none = () => ({ dispose: () => undefined });
  return {
    ...fake,
    Uri: { file: uriOf },
    FileType: { File: 1 },
    TextEditorSelectionChangeKind: {},
    commands: { executeCommand: async () => undefined },
    window: {
      ...fake.window,
      onDidChangeTextEditorSelection: none,
      onDidChangeTextEditorVisibleRanges: none,
      onDidChangeActiveTextEditor: none,
    },
    workspace: {
      ...fake.workspace,
      getWorkspaceFolder: ({ path }: { path: string }) => (path.startsWith('/w/') ? {} : undefined),
      fs: { stat: async () => ({ type: 1 }) },
      openTextDocument: async (uri: object) => ({ uri, lineCount: 9, getText: () => '' }),
    },
  };
});

const clock = new FakeClock();
const acted = new Emitter<ThreadAction>();
const never = new Emitter<never>().event;
let follow: FollowAgent;

beforeEach(() => resetVscode());
afterEach(() => follow.dispose());

/** An agent reads files, one after another, in a session that is followed. @returns the files that were shown */
async function shown(roots: readonly string[], ...paths: readonly string[]): Promise<readonly string[]> {
  const calls = paths.map((path, i) => ({
    kind: 'toolCall',
    toolKind: 'read',
    toolCallId: `t${i}`,
    locations: [{ path }],
    content: [],
  }));
  const thread = {
    entries: { length: 0, at: (index: number) => calls[index] },
    toolCalls: new Map(calls.map(({ toolCallId }, i) => [toolCallId, i])),
  };
  const live = { id: 's', cwd: roots[0], roots, session: { thread, onDidAct: acted.event } };
  const views = { onDidSwitch: never, onDidUse: never };
  follow = new FollowAgent({ views, onDidClose: never, active: live } as never, clock, silentLogger);
  follow.toggle();
  const found: string[] = [];
  for (const { toolCallId, locations } of calls) {
    acted.fire({ type: 'toolCall/patched', fields: { toolCallId, locations } } as never);
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    const [tab] = tabGroups.all[0]!.tabs;
    const uri = tab && String((tab.input as TabInputText).uri);
    if (uri !== undefined && uri !== found.at(-1)) found.push(uri);
  }
  return found;
}

const [own, workspace, elsewhere] = ['/w.worktrees/fix/a.ts', '/w/a.ts', '/home/me/.ssh/config'];

it('a session in a worktree is followed there, and where it looks into the workspace', async () => {
  expect(await shown(['/w.worktrees/fix'], own, elsewhere, workspace)).toEqual([own, workspace].map(urlOf));
});

it('files outside of the session’s folders and the workspace are not opened', async () => {
  expect(await shown(['/w'], elsewhere, own, workspace)).toEqual([urlOf(workspace)]);
});

function urlOf(path: string): string {
  return String(uriOf(path));
}
