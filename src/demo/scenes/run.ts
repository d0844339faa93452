import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type {
  CreateTerminalResponse,
  PermissionOption,
  TerminalOutputResponse,
  ToolCallUpdate,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';
import { leavePlanMode } from './plan';

/** Colours, and a bar that rewrites its line. Runs for about three seconds and touches nothing. */
const script = [
  'const bar = (n) => "█".repeat(n).padEnd(30, "░");',
  'for (let n = 0; n <= 30; n++) {',
  '  process.stdout.write(`\\r\\x1b[36mTesting\\x1b[0m \\x1b[32m${bar(n)}\\x1b[0m ${Math.round(n / 0.3)} %`);',
  '  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80);',
  '}',
  'console.log("\\n\\x1b[32m✓\\x1b[0m nested quotes \\x1b[2m(2 ms)\\x1b[0m");',
  'console.log("\\x1b[32m✓\\x1b[0m empty input \\x1b[2m(0 ms)\\x1b[0m");',
  'console.log("\\x1b[1m12 passed\\x1b[0m \\x1b[2m(sample tests)\\x1b[0m");',
].join('\n');

/** One line also in a narrow panel, because it is the first command that many users see. */
const shortScript = 'console.log("✓ 3 passed")';

const options: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow this command', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/**
 * Runs a command in one of the client's terminals, embedded in the tool call.
 * @param isShort runs a command that is easy to read
 */
export async function run(turn: Turn, isShort = false): Promise<void> {
  if (!turn.session.capabilities.terminal) {
    return turn.say('This client offers agents no terminals, so I cannot run a command here.\n');
  }
  if (turn.session.mode === 'plan' && !(await leavePlanMode(turn, 'I would run a command now.'))) {
    return turn.say('Then I keep planning. Nothing was run.\n');
  }
  await runProgram(turn, isShort ? shortScript : script);
}

/** Asks for one run of Node with a program, and makes it. */
async function runProgram(turn: Turn, program: string): Promise<void> {
  const toolCall = {
    title: 'Run sample tests',
    kind: 'execute' as const,
    rawInput: { command: `node -e '${program}'`, cwd: turn.session.cwd },
  };
  const toolCallId = turn.startTool({ ...toolCall, status: 'pending' });
  if (!(await allowed(turn, { toolCallId, ...toolCall }))) {
    turn.updateTool({ toolCallId, status: 'failed' });
    return turn.say('Then I do not run it.\n');
  }
  await runInTerminal(turn, toolCallId, ['-e', program]);
}

async function runInTerminal(turn: Turn, toolCallId: string, args: readonly string[]): Promise<void> {
  const { terminalId } = await turn.call<CreateTerminalResponse>('terminal/create', {
    command: nodeProgram(),
    args,
    // Inside VS Code the program that runs this one may be Electron, which is Node only when told so.
    env: [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }],
    cwd: turn.session.cwd,
    outputByteLimit: 100_000,
  });
  try {
    turn.updateTool({ toolCallId, status: 'in_progress', content: [{ type: 'terminal', terminalId }] });
    const exit = await turn.call<WaitForTerminalExitResponse>('terminal/wait_for_exit', { terminalId });
    const { output } = await turn.call<TerminalOutputResponse>('terminal/output', { terminalId });
    turn.updateTool({ toolCallId, status: exit.exitCode === 0 ? 'completed' : 'failed', rawOutput: { ...exit } });
    const last = output.trimEnd().split(/\r?\n/).at(-1) ?? '';
    await turn.say(
      `\nIt ended with ${exit.signal ? `the signal ${exit.signal}` : `exit code ${exit.exitCode}`}. ` +
        `Last line of output: \`${last}\`\n`,
    );
  } finally {
    // Also after a cancel: releasing ends what still runs. Nobody waits for the answer then.
    turn.session.peer.request('terminal/release', { sessionId: turn.session.id, terminalId }).catch(() => {});
  }
}

/** Node by its name if it is on the PATH, because that reads better; else the one that runs this program. */
function nodeProgram(): string {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, file))) ? 'node' : process.execPath;
}

async function allowed(turn: Turn, toolCall: ToolCallUpdate): Promise<boolean> {
  const { session } = turn;
  if (session.mode === 'bypass' || session.alwaysRuns) return true;
  const choice = await turn.ask(toolCall, options);
  if (choice?.optionId === 'always') session.alwaysRuns = true;
  return choice?.kind === 'allow_once' || choice?.kind === 'allow_always';
}
