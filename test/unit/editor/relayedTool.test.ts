import { describe, expect, it } from 'vitest';
import { editorCallOf } from '../../../src/editor/editorCall';
import { relayedListing, relayedName, relayedPrefix, relayedTools, relayKey } from '../../../src/editor/relayedTool';
import { editorTools } from '../../../src/editor/toolTable';

const owner = { id: 'pub.ext', name: 'An Extension' };
const tool = (name: string, more: object = {}) => ({ name, description: 'Does it.', inputSchema: undefined, ...more });

describe('the name of another extension’s tool', () => {
  it.each([
    ['search', 'ext_search'],
    ['hover-delete', 'ext_hover-delete'],
    ['mcp_github_get_issue', 'ext_mcp_github_get_issue'],
  ])('%s is %s', (name, expected) => expect(relayedName(tool(name))).toBe(expected));

  it('is one that MCP and models take, and the same each time', () => {
    for (const name of ['a b/c', '工具', 'x'.repeat(200), '../../etc', 'a\nb']) {
      expect(relayedName(tool(name))).toMatch(/^ext_[\w-]{1,44}$/);
      expect(relayedName(tool(name))).toBe(relayedName(tool(name)));
    }
  });

  it('is another one for each tool', () => {
    const long = 'x'.repeat(60);
    const names = ['a b', 'a_b', 'a/b', `${long}1`, `${long}2`].map((name) => relayedName(tool(name)));
    expect(new Set(names).size).toBe(names.length);
    expect(relayedName(tool(`${long}1`, { owner }))).not.toBe(relayedName(tool(`${long}1`)));
  });

  it('is none of Parley’s own, and no rule for these covers it', () => {
    expect(editorTools.filter(({ name }) => name.startsWith(relayedPrefix))).toEqual([]);
    for (const { name } of editorTools) {
      expect(editorCallOf(`mcp__vscode__${relayedName(tool(name))}`, {})).toBeUndefined();
      expect(editorCallOf(`mcp__vscode__${relayedName(tool(`${name}-x`))}`, {})).toBeUndefined();
    }
  });
});

describe('the chosen tools', () => {
  const offered = [tool('one', { owner }), tool('two', { owner }), tool('three')];

  it('are those that the user switched on, of this extension', () => {
    expect(relayedTools(offered, {}).size).toBe(0);
    const switches = { 'pub.ext/one': true, 'other.ext/two': true, 'unknown/three': true, two: true };
    expect([...relayedTools(offered, switches).keys()]).toEqual(['ext_one', 'ext_three']);
  });

  it.each([[false], ['true'], [1], [null]])('are none for %o', (value) => {
    expect(relayedTools(offered, { 'pub.ext/one': value }).size).toBe(0);
  });

  it('are not more than one of a name', () => {
    const chosen = relayedTools([tool('one', { owner }), tool('one')], { 'pub.ext/one': true, 'unknown/one': true });
    expect([...chosen.values()]).toEqual([offered[0]]);
  });

  it('have keys that no extension can take from another', () => {
    expect(relayKey(tool('one', { owner }))).toBe('pub.ext/one');
    expect(relayKey(tool('one'))).toBe('unknown/one');
  });
});

describe('the description of another extension’s tool', () => {
  it('says whose it is, and that the user is asked', () => {
    const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
    expect(relayedListing('ext_one', tool('one', { owner, inputSchema: schema }))).toEqual({
      name: 'ext_one',
      description: 'Does it.\n(Tool of the extension An Extension. The user is asked each time.)',
      inputSchema: schema,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
  });

  it('is bounded', () => {
    const long = relayedListing(
      'x',
      tool('one', { description: 'd'.repeat(100_000), owner: { id: 'a', name: 'n'.repeat(9_999) } }),
    );
    expect(JSON.stringify(long).length).toBeLessThan(5_000);
  });

  it.each([
    ['none', undefined, { type: 'object', properties: {} }, false],
    ['one without a type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }, false],
    ['one of another type', { type: 'string' }, { type: 'object' }, true],
    ['no schema', 'rm -rf /', { type: 'object' }, true],
    ['a list', [1], { type: 'object' }, true],
    ['a large one', { type: 'object', description: 'x'.repeat(30_000) }, { type: 'object' }, true],
  ])('has a schema of an object where the extension has %s', (_what, inputSchema, expected, isTold) => {
    const listing = relayedListing('x', tool('one', { inputSchema }));
    expect(listing['inputSchema']).toEqual(expected);
    expect(String(listing['description']).includes('The schema of its input is not known.')).toBe(isTold);
  });

  it('survives a schema without an end, and a deep one', () => {
    const endless: Record<string, unknown> = { type: 'object' };
    endless['not'] = endless;
    expect(relayedListing('x', tool('one', { inputSchema: endless }))['inputSchema']).toEqual({ type: 'object' });
    let deep: object = {};
    for (let depth = 0; depth < 500; depth++) deep = { not: deep };
    expect(JSON.stringify(relayedListing('x', tool('one', { inputSchema: deep })))).toContain('nested too deeply');
  });
});
