import { expect, it, vi } from 'vitest';
import { PromptBuilder } from '../../../../src/host/sessions/promptBuilder';
import { partsOf } from '../../../../src/thread/messageChunks';
import type { UserMessage } from '../../../../src/thread/thread';

vi.mock('vscode', async () => {
  const { pathToFileURL, fileURLToPath } = await import('node:url');
  const Uri = {
    // VS Code also encodes the colon of a drive.
    file: (path: string) => ({ toString: () => pathToFileURL(path).href.replaceAll(/(?<=^file:.*):/g, '%3A') }),
    parse: (text: string) => ({ fsPath: fileURLToPath(text) }),
  };
  return { ...(await import('../../../fakes/fakeVscode')), Uri };
});

it('gives a prompt back as it was composed, each mentioned file by the word that stands in the text', () => {
  const builder = new PromptBuilder({ load: () => [] } as never);
  const mentions = [
    { token: '@app.ts', path: '/w/src/app.ts', label: 'src/app.ts' },
    { token: '@lib/app.ts', path: '/w/lib/app.ts', label: 'lib/app.ts' },
    { token: '@parts', path: '/w/webview/parts', label: 'webview/parts/' },
  ];
  const draft = { text: 'Fix @app.ts as in @lib/app.ts and @parts', mentions, attachments: [] };
  const message: UserMessage = {
    kind: 'userMessage',
    id: 'e1',
    at: 0,
    parts: partsOf(builder.shown(draft)),
    dropped: false,
  };
  expect(builder.draftOf(message)).toEqual(draft);
});

it('addresses of files are those that every agent reads, with the colon of a drive as it is', () => {
  const blocks = new PromptBuilder({ load: () => [] } as never).shown({
    text: 'Fix @a.ts',
    mentions: [{ token: '@a.ts', path: '/c:/w/a b.ts', label: 'a.ts' }],
    attachments: [],
  });
  expect(JSON.stringify(blocks)).toContain('"file:///c:/w/a%20b.ts"');
});
