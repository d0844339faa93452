import { describe, expect, it } from 'vitest';
import { findToken } from '../../../src/base/mentionToken';
import { fuzzyFilter } from '../../../webview/composer/completer';
import { keepMentioned, tokenFor, triggerAt, withoutToken } from '../../../webview/composer/mentions';
import { PromptHistory } from '../../../webview/composer/promptHistory';

describe('what the caret completes', () => {
  it.each([
    ['/', 1, { kind: 'command', query: '', from: 0, to: 1 }],
    ['/rev', 4, { kind: 'command', query: 'rev', from: 0, to: 4 }],
    ['see @src/a', 10, { kind: 'file', query: 'src/a', from: 4, to: 10 }],
    ['(@a', 3, { kind: 'file', query: 'a', from: 1, to: 3 }],
    ['@', 1, { kind: 'file', query: '', from: 0, to: 1 }],
    ['one\n@t rest', 6, { kind: 'file', query: 't', from: 4, to: 6 }],
  ])('%j at %i', (text, caret, trigger) => {
    expect(triggerAt(text, caret)).toEqual(trigger);
  });

  it.each([
    ['a /b', 4],
    ['/rev more', 9],
    ['mail a@b', 8],
    ['/usr/bin', 8],
    ['@a b', 4],
    ['', 0],
  ])('nothing in %j at %i', (text, caret) => {
    expect(triggerAt(text, caret)).toBeUndefined();
  });
});

describe('mentions', () => {
  const file = (path: string) => ({
    path,
    name: path.replace(/^.*\//, ''),
    folder: path.replace(/\/?[^/]*$/, '').replace(/^\//, ''),
    isFolder: false,
  });
  const mention = (token: string, path: string) => ({ token, path, label: path });

  it('name a file shortly, and by its path where another has the name', () => {
    expect(tokenFor(file('/src/a.ts'), [])).toBe('@a.ts');
    expect(tokenFor(file('/src/a.ts'), [mention('@a.ts', '/src/a.ts')])).toBe('@a.ts');
    expect(tokenFor(file('/src/a.ts'), [mention('@a.ts', '/lib/a.ts')])).toBe('@src/a.ts');
    expect(tokenFor(file('/src/a.ts'), [mention('@a.ts', '/lib/a.ts'), mention('@src/a.ts', '/x')])).toBe(
      '@src/a.ts#2',
    );
    expect(tokenFor(file('/my file.ts'), [])).toBe('@my_file.ts');
  });

  it('live as long as their token is a word of the text', () => {
    expect(findToken('see @a.ts, please', '@a.ts')).toBe(4);
    expect(findToken('see @a.tsx', '@a.ts')).toBe(-1);
    expect(findToken('see @a.ts.bak', '@a.ts')).toBe(-1);
    expect(findToken('x@a.ts', '@a.ts')).toBe(-1);
    const both = [mention('@a.ts', '/a'), mention('@b.ts', '/b')];
    expect(keepMentioned('@a.ts @b.ts', both)).toBe(both);
    expect(keepMentioned('@b.ts', both)).toEqual([both[1]]);
  });

  it('leave the text with their space', () => {
    expect(withoutToken('see @a.ts and @a.ts now', '@a.ts')).toBe('see and now');
    expect(withoutToken('@a.ts', '@a.ts')).toBe('');
  });
});

describe('fuzzy filter', () => {
  it('puts beginnings before middles before scattered letters', () => {
    expect(fuzzyFilter('re', ['create', 'review', 'refactor', 'other', 'r-e'], (x) => x)).toEqual([
      'review',
      'refactor',
      'create',
      'r-e',
    ]);
    expect(fuzzyFilter('', ['b', 'a'], (x) => x)).toEqual(['b', 'a']);
    expect(fuzzyFilter('xyz', ['a'], (x) => x)).toEqual([]);
  });
});

describe('prompt history', () => {
  it('goes back, forth, and at the end to what was typed', () => {
    const history = new PromptHistory();
    const prompts = ['one', 'two'];
    expect(history.older(prompts, '')).toBe('two');
    expect(history.older(prompts, 'two')).toBe('one');
    expect(history.older(prompts, 'one')).toBeUndefined();
    expect(history.newer(prompts, 'one')).toBe('two');
    expect(history.newer(prompts, 'two')).toBe('');
    expect(history.newer(prompts, '')).toBeUndefined();
  });

  it('stops at an edited prompt', () => {
    const history = new PromptHistory();
    expect(history.older(['one'], '')).toBe('one');
    expect(history.isBrowsing('one!')).toBe(false);
    expect(history.newer(['one'], 'one!')).toBeUndefined();
  });
});
