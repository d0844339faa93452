import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/changes/ledger';
import { formWords, isSameForm, lastBreakWords, type TextForm } from '../../../src/changes/textForm';
import type { Content } from '../../../src/changes/content';
import { targetsIn } from '../../../src/changes/scope';
import { isFormChange } from '../../../src/changes/wholeChange';

const utf8 = 'utf8';
const form = (encoding: string, ends: TextForm['ends']) => ({ kind: 'text' as const, form: { encoding, ends } });

it.each<[words: string, before: TextForm, after: TextForm]>([
  ['', { encoding: utf8, ends: '\n' }, { encoding: utf8, ends: '\n' }],
  ['', { encoding: utf8, ends: '' }, { encoding: utf8, ends: '\r\n' }],
  ['', { encoding: utf8, ends: 'mixed' }, { encoding: utf8, ends: '' }],
  // Without a mark it is a guess.
  ['', { encoding: 'windows1252', ends: '\n' }, { encoding: utf8, ends: '\n' }],
  ['', { encoding: '', ends: '\n' }, { encoding: 'utf8bom', ends: '\n' }],
  ['Line endings changed from CRLF to LF', { encoding: utf8, ends: '\r\n' }, { encoding: utf8, ends: '\n' }],
  ['Line endings changed from LF to CRLF', { encoding: utf8, ends: '\n' }, { encoding: utf8, ends: '\r\n' }],
  ['Line endings changed from CRLF to mixed', { encoding: utf8, ends: '\r\n' }, { encoding: utf8, ends: 'mixed' }],
  ['Byte order mark added', { encoding: utf8, ends: '\n' }, { encoding: 'utf8bom', ends: '\n' }],
  [
    'Byte order mark removed, Line endings changed from CRLF to LF',
    { encoding: 'utf8bom', ends: '\r\n' },
    { encoding: utf8, ends: '\n' },
  ],
  ['Encoding changed from UTF-16 LE to UTF-8', { encoding: 'utf16le', ends: '\n' }, { encoding: utf8, ends: '\n' }],
])('"%s" for %j, %j', (words, before, after) => {
  const [a, b] = [
    { kind: 'text' as const, form: before },
    { kind: 'text' as const, form: after },
  ];
  expect(formWords(a, b).join(', ')).toBe(words);
  expect(isSameForm(a, b)).toBe(words === '');
  expect(isSameForm(a, { kind: 'text' })).toBe(true);
});

it.each<[words: string, before: string | undefined, after: string | undefined]>([
  ['', 'a\n', 'b\n'],
  ['', 'a', 'b'],
  ['', '', 'a\n'],
  ['', 'a\n', ''],
  ['', undefined, 'a'],
  ['Line break at end of file added', 'a', 'a\n'],
  ['Line break at end of file removed', 'a\n\n', 'a\nb'],
])('"%s" for the ends of %j, %j', (words, before, after) => {
  expect(lastBreakWords(before, after).join()).toBe(words);
});

describe('how a text is stored, in the ledger', () => {
  const text = (digest: string, ends: TextForm['ends']): Content => ({
    ...form(utf8, ends),
    digest,
    stored: { name: 'a'.repeat(64), size: 1 },
  });
  const words = 'Line endings changed from CRLF to LF';
  const beforeText = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const agents = 'ONE\ntwo\nthree\nfour\nfive\nSIX\n';
  const ledgerWith = (lines: boolean) => {
    const ledger = new Ledger();
    if (lines) ledger.agentWrote('/f', beforeText, agents, 't');
    ledger.agentReplaced('/f', text('0', '\r\n'), text(lines ? '1' : '0', '\n'), 't');
    return ledger;
  };

  it('is a change by itself', () => {
    const ledger = ledgerWith(false);
    expect(ledger.count).toBe(1);
    expect(ledger.changes).toMatchObject([{ path: '/f', kind: 'modified', hunks: [], note: words, turn: 't' }]);
    ledger.keep('/f');
    expect(ledger.count).toBe(0);
  });

  it('is said beside hunks, outlives them, and goes with the file', () => {
    const ledger = ledgerWith(true);
    expect(ledger.get('/f')).toMatchObject({ beside: words, added: 2, removed: 2 });
    expect(ledger.get('/f')!.note).toBeUndefined();
    for (const { id } of ledger.get('/f')!.hunks) ledger.keep('/f', [id]);
    expect(ledger.get('/f')).toMatchObject({ note: words, hunks: [] });
    const other = ledgerWith(true);
    other.keep('/f');
    expect(other.get('/f')).toBeUndefined();
  });

  it('of another turn stays pending when a turn’s lines are kept', () => {
    const ledger = new Ledger();
    ledger.agentReplaced('/f', text('0', '\r\n'), text('0', '\n'), 't1');
    ledger.agentWrote('/f', 'a\n', 'b\n', 't2');
    const [target] = targetsIn([{ sessionId: 's', changes: ledger.changes }], { turn: 't2' });
    expect(ledger.tied('/f', 'keep', target!.ids, 't2').size).toBe(0);
    ledger.keep('/f', target!.ids, target!.of);
    expect(ledger.get('/f')).toMatchObject({ note: words, hunks: [], turn: 't1' });
  });

  it('is no change once it is as before, whatever the lines are', () => {
    const ledger = ledgerWith(true);
    ledger.agentReplaced('/f', text('1', '\n'), text('2', '\r\n'), 't');
    expect(ledger.whole('/f')).toBeUndefined();
    expect(ledger.get('/f')!.hunks).toHaveLength(2);
  });

  it('is no change of a file that is gone', () => {
    const ledger = ledgerWith(true);
    ledger.agentWrote('/f', agents, undefined, 't');
    expect(ledger.get('/f')).toMatchObject({ kind: 'deleted' });
    expect(isFormChange(ledger.whole('/f'))).toBe(false);
  });

  it('says that the last line break went', () => {
    const ledger = new Ledger();
    ledger.agentWrote('/f', 'a\nb\n', 'a\nb', 't');
    expect(ledger.get('/f')).toMatchObject({ beside: 'Line break at end of file removed' });
  });
});
