import { expect, it, vi } from 'vitest';
import { PromptBuilder } from '../../../../src/host/sessions/promptBuilder';
import { partsOf } from '../../../../src/thread/messageChunks';
import type { UserMessage } from '../../../../src/thread/thread';

vi.mock('vscode', async () => {
  const { pathToFileURL, fileURLToPath } = await import('node:url');
  const Uri = {
    file: (path: string) => ({ toString: () => pathToFileURL(path).href }),
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
