import { describe, expect, it } from 'vitest';
import { editorCallOf, editorCallWords } from '../../../src/editor/editorCall';
import { editorTools } from '../../../src/editor/toolTable';

/** How each agent names the same call. */
const spellings: readonly (readonly [agent: string, title: string, rawInput: unknown])[] = [
  ['Claude Code', 'mcp__vscode__references', { symbol: 'parse' }],
  ['Codex', 'mcp.vscode.references', { server: 'vscode', tool: 'references', arguments: { symbol: 'parse' } }],
  ['Codex', 'Tool: vscode/references', { arguments: { symbol: 'parse' } }],
  ['Gemini CLI', 'references (vscode MCP Server): {"symbol":"parse"}', undefined],
  ['Qwen Code', 'references (vscode MCP Server)', { symbol: 'parse' }],
  ['OpenCode', 'vscode_references', { symbol: 'parse' }],
  ['Copilot CLI', 'vscode-references', { symbol: 'parse' }],
];

describe('calls of the editor’s tools', () => {
  it.each(spellings)('%s: %s', (_agent, title, rawInput) => {
    const call = editorCallOf(title, rawInput)!;
    expect(call.tool).toBe('references');
    expect(editorCallWords(call)).toBe('Find references of parse');
  });

  it.each([
    'references',
    'mcp__other__references',
    'vscode.something',
    'Run vscode.references',
    'vscode',
    'mcp__vscode__constructor',
    'mcp__vscode__',
  ])('not one of them: %s', (title) => {
    expect(editorCallOf(title, { symbol: 'parse' })).toBeUndefined();
  });

  it.each(['delete', 'move'])('a call that says that it is a %s keeps its own title', (kind) => {
    expect(editorCallOf('mcp__vscode__hover', {}, kind)).toBeUndefined();
    expect(editorCallOf('mcp__vscode__hover', {}, 'execute')?.tool).toBe('hover');
  });

  it('has words for each tool, with and without arguments', () => {
    for (const { name } of editorTools) {
      const call = editorCallOf(`mcp__vscode__${name}`, {});
      expect(call?.tool, name).toBe(name);
      expect(editorCallWords(call!)).not.toMatch(/\{\d\}|undefined/);
    }
  });

  it('names no argument that the tool does not have', () => {
    for (const { name, input } of editorTools) {
      const properties = Object.keys(input['properties'] as object);
      const unread = new Proxy(
        {},
        { get: (_, key) => void expect(properties, `${name}: ${String(key)}`).toContain(key) },
      );
      editorCallWords({ tool: name, args: unread });
    }
  });

  it.each([
    ['rename_symbol', { path: 'a.ts', line: 3, new_name: 'b' }, 'Rename a.ts:3 to b'],
    ['rename_symbol', { symbol: 'a\n b', new_name: 7 }, 'Rename a b to …'],
    ['call_hierarchy', { symbol: 'f', direction: 'outgoing' }, 'Find what f calls'],
    ['diagnostics', {}, 'Read problems'],
    ['references', {}, 'Find references'],
    ['rename_symbol', {}, 'Rename a symbol'],
    ['code_actions', { path: 'a.ts', line: 1, apply: 'Fix' }, 'Apply “Fix”'],
    ['run_task', { task: 'npm: test', timeout: 5 }, 'Run the task “npm: test”'],
    ['run_task', { run: 'term-1' }, 'Run a task'],
    ['hover', { symbol: 'x'.repeat(500) }, `Look up ${'x'.repeat(99)}…`],
  ])('%s %o', (tool, args, words) => {
    expect(editorCallWords({ tool, args })).toBe(words);
  });
});

describe('the table of tools', () => {
  it('has names that every agent takes, schemas that are closed, and short texts', () => {
    for (const { name, description, input } of editorTools) {
      expect(name).toMatch(/^[a-z_]{3,40}$/);
      expect(description.length).toBeLessThan(220);
      expect(input).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(new Set(editorTools.map(({ name }) => name)).size).toBe(editorTools.length);
  });

  it('costs a model little: the whole list is under 14 KB', () => {
    const listed = editorTools.map(({ name, description, input }) => ({ name, description, inputSchema: input }));
    expect(JSON.stringify(listed).length).toBeLessThan(14_000);
  });
});
