import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { ToolError } from '../../../../src/editor/toolInput';
import { askLanguage } from '../../../../src/host/editor/askLanguage';
import { FakeClock } from '../../../fakes/fakeClock';

const vs = vi.hoisted(() => ({ answer: (): unknown => undefined }));
vi.mock('vscode', () => ({ commands: { executeCommand: async () => vs.answer() } }));

describe('a question to a language server', () => {
  let clock: FakeClock;
  beforeEach(() => {
    clock = new FakeClock();
  });

  it('gives its answer, and leaves no timer behind', async () => {
    vs.answer = () => [1];
    expect(await askLanguage('x', [], { clock }, neverCancelled)).toEqual([1]);
    expect(clock.running).toBe(0);
  });

  it('that is never answered ends in words', async () => {
    vs.answer = () => new Promise(() => undefined);
    const asked = askLanguage('x', [], { clock }, neverCancelled);
    const failed = expect(asked).rejects.toThrow(/did not answer within 30 seconds.*Try again, or go on without it\./s);
    await vi.waitFor(() => expect(clock.running).toBe(1));
    clock.advance(30_000);
    await failed;
  });

  it('that fails says why', async () => {
    vs.answer = () => {
      throw new Error('no project');
    };
    await expect(askLanguage('x', [], { clock }, neverCancelled)).rejects.toThrow(
      new ToolError('The language server failed: no project'),
    );
  });

  it('ends when the agent withdraws the call', async () => {
    vs.answer = () => new Promise(() => undefined);
    const source = new CancellationSource();
    const failed = expect(askLanguage('x', [], { clock }, source.token)).rejects.toThrow('The call was withdrawn.');
    source.cancel();
    await failed;
    await expect(askLanguage('x', [], { clock }, source.token)).rejects.toThrow('The call was withdrawn.');
  });
});
