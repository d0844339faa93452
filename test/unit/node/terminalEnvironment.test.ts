import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../src/node/findProgram';
import { terminalEnvironment } from '../../../src/node/terminalEnvironment';

describe('the environment of a terminal', () => {
  it("is what the host inherited without what is the host's own, our defaults, then the agent's", () => {
    expect(
      terminalEnvironment(
        {
          PATH: '/bin',
          ELECTRON_RUN_AS_NODE: '1',
          VSCODE_IPC_HOOK: 'x',
          NODE_OPTIONS: '--inspect',
          TERM: 'dumb',
          GONE: undefined,
        },
        [
          { name: 'FOO', value: '1' },
          { name: 'PAGER', value: 'less' },
          { name: 'FOO', value: '2' },
        ],
        { platform: 'linux' },
      ),
    ).toEqual({
      PATH: '/bin',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      PAGER: 'less',
      GIT_PAGER: 'cat',
      GH_PAGER: 'cat',
      AWS_PAGER: '',
      MANPAGER: 'cat',
      SYSTEMD_PAGER: 'cat',
      FOO: '2',
    });
  });

  it('has each name once on Windows', () => {
    const env = terminalEnvironment({ Path: 'C:\\a' }, [{ name: 'PATH', value: 'C:\\b' }], { platform: 'win32' });
    expect(Object.entries(env).filter(([name]) => name.toLowerCase() === 'path')).toEqual([['PATH', 'C:\\b']]);
  });
});

describe('parley.terminal.env', () => {
  it('stands over what is inherited and over our defaults, and below what the agent says', () => {
    const env = terminalEnvironment(
      { A: 'inherited', B: 'inherited', C: 'inherited' },
      [
        { name: 'C', value: 'agent' },
        { name: 'D', value: 'agent' },
      ],
      {
        settings: { B: 'person', C: 'person', D: null, PAGER: 'less', MANPAGER: null },
        platform: 'linux',
      },
    );
    expect(env).toMatchObject({ A: 'inherited', B: 'person', C: 'agent', D: 'agent', PAGER: 'less' });
    expect(env).not.toHaveProperty('MANPAGER');
  });

  it('null takes out any spelling on Windows', () => {
    expect(
      Object.keys(
        terminalEnvironment({ Http_Proxy: 'x' }, [], { settings: { HTTP_PROXY: null }, platform: 'win32' }),
      ).filter((name) => /proxy/i.test(name)),
    ).toEqual([]);
  });

  it('the terminal that VS Code came from leaves no trace', () => {
    const inherited = {
      LINES: '10',
      COLUMNS: '20',
      TERM_PROGRAM: 'Apple_Terminal',
      TERM_PROGRAM_VERSION: '1',
      VTE_VERSION: '1',
      KITTY_WINDOW_ID: '1',
      TERMINFO: '/x',
      LANG: 'C',
    };
    expect(
      Object.keys(terminalEnvironment(inherited, [], { platform: 'linux' })).filter((name) => name in inherited),
    ).toEqual(['TERMINFO', 'LANG']);
  });
});

describe('the file that a command means', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-path-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin/folder'), { recursive: true });
  for (const name of ['bin/run', 'bin/with space', 'local']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, 'bin/data'), '');
  chmodSync(join(folder, 'bin/data'), 0o644);
  const env = { PATH: `/nowhere:${join(folder, 'bin')}` };

  it.each<[command: string, found: string | undefined]>([
    ['run', 'bin/run'],
    ['with space', 'bin/with space'],
    ['./local', 'local'],
    ['bin/run', 'bin/run'],
    ['local', undefined],
    ['data', undefined],
    ['folder', undefined],
    ['', undefined],
    ['run extra', undefined],
  ])('%j', (command, found) => {
    expect(findExecutable(command, folder, env, 'linux')).toBe(found && join(folder, found));
  });
});
