import { expect, it, vi } from 'vitest';
import { quickFixes } from '../../../../src/host/ask/quickFixes';

vi.mock('vscode', () => {
  class CodeActionKind {
    constructor(readonly value: string) {}
    static readonly QuickFix = new CodeActionKind('quickfix');
    contains(other: CodeActionKind): boolean {
      return this.value === '' || other.value === this.value || other.value.startsWith(`${this.value}.`);
    }
  }
  class CodeAction {
    constructor(
      readonly title: string,
      readonly kind: CodeActionKind,
    ) {}
  }
  return { CodeActionKind, CodeAction };
});

const uri = { path: '/w/a.ts' };
const problem = { message: 'no' };
const offered = (name: string, context: object) =>
  quickFixes(name, { uri } as never, { diagnostics: [problem], only: undefined, ...context } as never);

it('a problem can be fixed and explained by the agent that was selected', () => {
  const argument = { uri, diagnostics: [problem] };
  expect(offered('Claude', {})).toEqual([
    expect.objectContaining({
      title: 'Fix with Claude',
      command: { title: 'Fix with Claude', command: 'parley.askFix', arguments: [argument] },
    }),
    expect.objectContaining({ title: 'Explain with Claude', diagnostics: [problem] }),
  ]);
});

it('nothing is offered without an agent, without a problem, or where other actions are wanted', async () => {
  const { CodeActionKind } = await import('vscode');
  expect(offered('', {})).toEqual([]);
  expect(offered('Claude', { diagnostics: [] })).toEqual([]);
  expect(
    offered('Claude', { only: new (CodeActionKind as never as new (kind: string) => object)('refactor') }),
  ).toEqual([]);
  expect(offered('Claude', { only: CodeActionKind.QuickFix })).toHaveLength(2);
});

it('the name of an agent cannot hide a part of itself', () => {
  expect(offered('A\u202Eb$(x)', {})[0]!.title).toContain('⟨U+202E⟩');
});
