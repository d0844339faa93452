import { expect, test } from 'vitest';
import { expandEntry } from '../../../../src/host/agents/agentVariables';

const variables = { env: { TOKEN: 'secret', MORE: '${userHome}' }, userHome: '/home/me', workspaceFolder: '/w/app' };

test('variables are replaced where an entry says what runs', () => {
  const entry = {
    command: '${userHome}/bin/agent',
    args: ['--root=${workspaceFolder}', '${env:TOKEN}${env:TOKEN}'],
    env: { KEY: '${env:TOKEN}', GONE: '${env:NOT_SET}' },
    cwd: '${workspaceFolder}/src',
    npm: '${userHome}',
    registry: '${userHome}',
    protocol: 1,
  };
  expect(expandEntry(entry, variables)).toEqual({
    command: '/home/me/bin/agent',
    args: ['--root=/w/app', 'secretsecret'],
    env: { KEY: 'secret', GONE: '' },
    cwd: '/w/app/src',
    npm: '${userHome}',
    registry: '${userHome}',
    protocol: 1,
  });
});

test.each(['${HOME}', '$HOME', '${file}', '${env:}', '${env:A-B}', '${userHome', '${workspaceFolder:app}'])(
  '%s stays as it is',
  (text) => {
    expect(expandEntry({ command: text, args: [text] }, variables)).toEqual({ command: text, args: [text] });
  },
);

test('a value is not expanded again, and a folder that is not there is none', () => {
  expect(expandEntry({ args: ['${env:MORE}'] }, variables)).toEqual({ args: ['${userHome}'] });
  expect(expandEntry({ cwd: '${workspaceFolder}' }, { ...variables, workspaceFolder: undefined })).toEqual({
    cwd: '${workspaceFolder}',
  });
});

test.each([undefined, null, 7, 'text', ['${userHome}'], { args: 7, env: null }])('%j is left to the decoder', (entry) =>
  expect(expandEntry(entry, variables)).toEqual(entry),
);
