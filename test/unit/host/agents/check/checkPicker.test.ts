import { beforeEach, expect, test, vi } from 'vitest';
import type { CancellationToken } from '../../../../../src/base/cancellation';
import type { AgentConfiguration } from '../../../../../src/host/agents/agentSettings';
import type { CheckRequest } from '../../../../../src/host/agents/check/agentCheck';
import { CheckPicker } from '../../../../../src/host/agents/check/checkPicker';
import { CheckProgress, type CheckOffer } from '../../../../../src/host/agents/check/checkSteps';

interface Picker {
  items: { readonly label: string; readonly act?: string }[];
  activeItems: unknown[];
  selectedItems: unknown[];
  placeholder: string;
  busy: boolean;
  choose(act: string): Promise<void>;
  hide(): void;
}

const told = vi.hoisted(() => ({
  picker: undefined as unknown,
  offered: [] as string[],
  choose: undefined as string | undefined,
  clipboard: '',
  warnings: [] as string[],
}));
vi.mock('vscode', async () => {
  const { CancellationSource } = await import('../../../../../src/base/cancellation');
  return {
    CancellationTokenSource: CancellationSource,
    QuickPickItemKind: { Separator: -1 },
    env: { clipboard: { writeText: (text: string) => Promise.resolve(void (told.clipboard = text)) } },
    window: {
      showQuickPick: (items: { name: string }[]) => (
        (told.offered = items.map(({ name }) => name)),
        Promise.resolve(items.find(({ name }) => name === told.choose))
      ),
      showWarningMessage: (words: string) => (told.warnings.push(words), Promise.resolve(undefined)),
      createQuickPick: () => {
        let accept: () => unknown;
        let hidden: () => void;
        const picker = {
          items: [] as { act?: string }[],
          activeItems: [],
          selectedItems: [] as unknown[],
          onDidAccept: (listener: () => unknown) => void (accept = listener),
          onDidHide: (listener: () => void) => void (hidden = listener),
          show: () => undefined,
          hide: () => hidden(),
          dispose: () => undefined,
          choose: async (act: string) => {
            picker.selectedItems = picker.items.filter((item) => item.act === act);
            expect(picker.selectedItems).toHaveLength(1);
            await accept();
          },
        };
        return (told.picker = picker);
      },
    },
  };
});
beforeEach(() =>
  Object.assign(told, { picker: undefined, offered: [], choose: undefined, clipboard: '', warnings: [] }),
);

const agent = (name: string): AgentConfiguration => ({ name, command: name, args: [], env: {}, capabilities: {} });

/** A list over checks whose outcome the test decides. */
function desk(names: readonly string[] = ['One', 'Two'], offers: readonly CheckOffer[] = []) {
  const runs: { readonly request: CheckRequest; readonly token: CancellationToken; end(): void }[] = [];
  const acts: string[] = [];
  const check = {
    run: (request: CheckRequest, token: CancellationToken, changed: ConstructorParameters<typeof CheckProgress>[2]) => {
      const progress = new CheckProgress(request.configuration.name, (text) => text, changed);
      progress.run('folder');
      runs.push({ request, token, end: () => progress.end({ offers }) });
      return Promise.resolve({ view: progress.view });
    },
  };
  const surroundings = { version: '0.1.0', vscode: '1.110.0', system: 'linux x64' };
  const picker = new CheckPicker({
    check,
    agents: () => names.map(agent),
    current: () => 'Two',
    problemOf: (name) => (name === 'Odd' ? '“Odd” has no command.' : undefined),
    act: (act, name) => Promise.resolve(void acts.push(`${act} ${name}`)),
    surroundings,
  });
  return { picker, runs, acts, list: () => told.picker as Picker };
}

test('of several agents the user chooses one, that of the shown session first', async () => {
  const { picker, runs } = desk(['One', 'Two', 'Three']);
  told.choose = 'Three';
  await picker.open();
  expect([told.offered, runs.map(({ request }) => request)]).toEqual([
    ['Two', 'One', 'Three'],
    [{ configuration: agent('Three'), until: 'session' }],
  ]);
  told.choose = undefined;
  await picker.open();
  expect(runs).toHaveLength(1);
});

test('one agent, and one that is named, need no choice', async () => {
  const { picker, runs } = desk(['One']);
  await picker.open();
  await picker.open('One');
  expect([told.offered, runs.length]).toEqual([[], 2]);
});

test('an agent whose entry cannot be used, and one that is not there', async () => {
  const { picker, runs } = desk();
  await picker.open('Odd');
  await picker.open('Gone');
  expect([told.warnings, runs]).toEqual([
    [
      '“Odd” has no command. Correct it in the parley.agents setting.',
      'There is no agent named Gone. Select another agent, or add this one to the parley.agents setting.',
    ],
    [],
  ]);
});

test('Escape and Cancel end the check', async () => {
  const { picker, runs, list } = desk();
  await picker.open('One');
  expect([list().busy, list().placeholder, list().items.flatMap(({ act }) => act ?? [])]).toEqual([
    true,
    'Checking One. Press Escape to cancel.',
    ['cancel'],
  ]);
  await list().choose('cancel');
  expect(runs[0]!.token.isCancellationRequested).toBe(true);
  runs[0]!.end();
  await list().choose('again');
  list().hide();
  expect(runs.map(({ token }) => token.isCancellationRequested)).toEqual([true, true]);
  // What comes late changes nothing.
  runs[1]!.end();
});

test('a prompt is sent and a package installed only when the user chooses that', async () => {
  const { picker, runs, list } = desk(['One'], ['sendPrompt', 'install']);
  await picker.open('One');
  runs[0]!.end();
  await list().choose('sendPrompt');
  runs[1]!.end();
  await list().choose('install');
  expect(runs.map(({ request: { sendsPrompt, mayInstall } }) => [sendsPrompt, mayInstall])).toEqual([
    [undefined, undefined],
    [true, undefined],
    [undefined, true],
  ]);
});

test('the report is copied, and what leads elsewhere closes the list', async () => {
  const { picker, runs, acts, list } = desk(['One'], ['signIn', 'useScratchFolder']);
  await picker.open('One');
  runs[0]!.end();
  await list().choose('copy');
  expect([told.clipboard.split('\n')[0], list().placeholder]).toEqual(['## Check of One', 'The report was copied.']);
  await list().choose('useScratchFolder');
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  await list().choose('signIn');
  expect([acts, runs[1]!.token.isCancellationRequested]).toEqual([['useScratchFolder One', 'signIn One'], true]);
});
