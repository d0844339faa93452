import { describe, expect, it, test } from 'vitest';
import { decodeIndex } from '../../../src/registry/decodeIndex';
import { distinctName, isDeceptive, nameKey } from '../../../src/registry/lookAlikes';

test.each([
  ['Claude Code', 'claude-code'],
  ['Claude Code', 'CLAUDE  CODE'],
  ['Claude Code', 'Сlаudе Соdе'],
  ['Claude Code', 'C1aude C0de'],
  ['Claude Code', 'ClaudeCode'],
  ['Claude Code', 'Ｃｌａｕｄｅ Ｃｏｄｅ'],
  ['Claude Code', 'Cláude Códe'],
  ['Cline', 'CIine'],
  ['Gemini CLI', 'Gernini CLl'],
  ['Kimi', 'Кіmі'],
  ['Copy', 'Сору'],
  ['𝐂odex', 'Codex'],
])('%s and %s look alike', (one, other) => expect(nameKey(other)).toBe(nameKey(one)));

test.each([
  ['Codex', 'Code'],
  ['Claude Code', 'Claude'],
  ['Gemini', 'Goose'],
  ['通义', '文心'],
])('%s and %s do not', (one, other) => expect(nameKey(other)).not.toBe(nameKey(one)));

describe('a name', () => {
  it.each([
    'Claude Cоde',
    'Gеmini CLI',
    'Cоdex',
    'Agent\u200b',
    'Agent\u202eedoC',
    'Cod\u00adex',
    'Νova Αgent',
    'A\u3164gent',
    'Ꭺgent',
  ])('is refused for %j', (name) => {
    expect(isDeceptive(name)).toBe(true);
    const entry = (fields: object) => ({
      id: 'agent',
      name: 'Agent',
      version: '1.2.3',
      distribution: { npx: { package: 'agent@1.2.3' } },
      ...fields,
    });
    expect(decodeIndex({ agents: [entry({ id: 'b', name }), entry({})] })).toMatchObject({
      agents: [{ id: 'agent' }],
      skipped: ['b: its name can be taken for another one'],
    });
  });

  it.each([
    'Claude Code',
    'Агент Смит',
    'Агент Smith',
    '通义 Coder',
    'Café-Agent 2.0',
    'Qwen Code (Beta)',
    'Ελληνικά',
    'AIエージェント',
    'agent_x',
  ])('may be %j', (name) => expect(isDeceptive(name)).toBe(false));

  it('gets an id where another one looks like it, and a number where that does too', () => {
    const taken = new Set(['Acorn', 'Acorn (evil)', 'Bee (bee)'].map(nameKey));
    expect(distinctName('ACORN', 'evil', (key) => taken.has(key))).toBe('ACORN (evil) 2');
    expect(distinctName('Acorn', 'other', (key) => taken.has(key))).toBe('Acorn (other)');
    expect(distinctName('Bee', 'bee', (key) => taken.has(key))).toBe('Bee');
  });
});

it.each([{ args: ['--key', '${env:SECRET}'] }, { env: { API_KEY: '${secret}' } }, { env: { X: 'a${userHome}' } }])(
  'an index names no variable of the user: %j',
  (words) => {
    expect(
      decodeIndex({
        agents: [{ id: 'a', name: 'A', version: '1.0.0', distribution: { npx: { package: 'a@1.0.0', ...words } } }],
      })?.agents,
    ).toEqual([]);
  },
);
