import type { Later } from '../../base/later';
import type { CommandTable } from '../panel/commandTables';
import type { AskAgent } from './askAgent';

/** The commands of the submenus “Ask Agent” and of quick fixes. */
export function askTable(ask: Later<AskAgent>): CommandTable {
  return {
    'parley.askExplain': async (...args: unknown[]) => (await ask.get()).ask('explain', undefined, args),
    'parley.askFix': async (...args: unknown[]) => (await ask.get()).ask('fix', undefined, args),
    'parley.askReview': async (...args: unknown[]) => (await ask.get()).ask('review', undefined, args),
    'parley.askTests': async (...args: unknown[]) => (await ask.get()).ask('tests', undefined, args),
    'parley.askTerminalExplain': async () => (await ask.get()).ask('explain', 'terminal', []),
    'parley.askTerminalFix': async () => (await ask.get()).ask('fix', 'terminal', []),
    'parley.askConsoleExplain': async () => (await ask.get()).ask('explain', 'debugConsole', []),
    'parley.askConsoleFix': async () => (await ask.get()).ask('fix', 'debugConsole', []),
    'parley.askHow': async () => (await ask.get()).chooseHow(),
  };
}
