import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attachmentMeta } from '../../../../src/host/attachments/promptBlocks';
import { attachmentsOnlyIn } from '../../../../src/host/sessions/sentAttachments';
import { SentPrompts } from '../../../../src/host/sessions/sentPrompts';
import { MemoryState } from '../../../fakes/memoryState';

/* What else has the text of a session goes with it. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deleted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('prompts for the arrow keys go with their session, and those of earlier versions with the first that goes', () => {
  const state = new MemoryState();
  void state.update('parley.promptHistory', ['of an earlier version', 7]);
  const prompts = new SentPrompts(state);
  prompts.add('one', 'a');
  prompts.add('two', 'b');
  prompts.add('three', 'a');
  expect(new SentPrompts(state).all).toEqual(['of an earlier version', 'one', 'two', 'three']);
  prompts.forget('a');
  expect([prompts.all, new SentPrompts(state).all]).toEqual([['two'], ['two']]);
  prompts.forget('b');
  expect(state.get('parley.promptHistory')).toBeUndefined();
});

it('attachments go with the only transcript that names them', async () => {
  const id = (n: number) => `0000000${n}-0000-0000-0000-000000000000`;
  const prompt = (...ids: readonly number[]) =>
    `${JSON.stringify({ type: 'turn/started', at: 1, turnId: 't', prompt: ids.map((n) => ({ type: 'resource_link', uri: 'file:///x', name: 'x', _meta: { [attachmentMeta]: id(n) } })) })}\n`;
  const said = `${JSON.stringify({ type: 'message/chunkAppended', at: 1, role: 'agent', content: { type: 'text', text: `"${attachmentMeta}":"${id(9)}"` } })}\n`;
  const put = (name: string, text: string) => (writeFileSync(join(folder, name), text), join(folder, name));
  const own = put('a', prompt(1, 2) + said + prompt(3));
  const fork = put('b', prompt(2));
  expect([...(await attachmentsOnlyIn(own, [fork, join(folder, 'none')]))]).toEqual([id(1), id(3)]);
  expect([...(await attachmentsOnlyIn(join(folder, 'none'), [fork]))]).toEqual([]);
});
