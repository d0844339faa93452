import { describe, expect, it } from 'vitest';
import { findLine } from '../../../webview/find/foundLine';
import { Matches } from '../../../webview/find/matches';
import { type Query, toPattern, withoutMarks } from '../../../webview/find/search';
import { workTime } from '../../fakes/workTime';

const query = (text: string, fields: Partial<Query> = {}) =>
  toPattern({ text, matchCase: false, wholeWord: false, isRegex: false, ...fields });
const found = (text: string, pattern: ReturnType<typeof toPattern>) =>
  pattern && 'source' in pattern
    ? [...text.matchAll(new RegExp(pattern.source, pattern.flags))].map(([match]) => match)
    : pattern;

describe('what is searched for', () => {
  it('is the text as it is, unless it is an expression', () => {
    expect(found('a.b (a.B) axb', query('a.b'))).toEqual(['a.b', 'a.B']);
    expect(found('a.b A.b', query('a.b', { matchCase: true }))).toEqual(['a.b']);
    expect(found('a.b axb', query('a.b', { isRegex: true }))).toEqual(['a.b', 'axb']);
    expect(found('[x]/{y}', query('[x]/{y}'))).toEqual(['[x]/{y}']);
    expect(query('')).toBeUndefined();
  });

  it('is a whole word, in any script', () => {
    expect(found('word words swörd word_ (word)', query('word', { wholeWord: true }))).toEqual(['word', 'word']);
    expect(found('größer groß', query('groß', { wholeWord: true }))).toEqual(['groß']);
  });

  it('may be an expression of the older form, and says what is wrong with one that is none', () => {
    expect(found('a-b', query('a\\-b', { isRegex: true }))).toEqual(['a-b']);
    expect(query('a(', { isRegex: true })).toHaveProperty('problem');
    expect(query('a)|(b', { isRegex: true, wholeWord: true })).toHaveProperty('problem');
  });
});

describe('the text of Markdown', () => {
  it('has no marks within words, and leaves code as it is', () => {
    expect(withoutMarks('a **bold** and `coded` *word*, 2 * 3')).toBe('a bold and coded word, 2 * 3');
    expect(withoutMarks('**x**\n```c\nint **p;\n```\n*y*')).toBe('x\n```c\nint **p;\n```\ny');
    expect(withoutMarks('some_name __init__')).toBe('some_name __init__');
  });

  it('has what is drawn of code in a line, and of a star without a partner', () => {
    expect(withoutMarks('`src/**/*.ts` and `**kwargs`, `` a`b `` and `one')).toBe(
      'src/**/*.ts and **kwargs, a`b and `one',
    );
    for (const text of ['2*3', 'f(*args)', 'f(*args, **kwargs)', 'int **p, *q;', 'a * b*', '* item', '*.ts'])
      expect(withoutMarks(text)).toBe(text);
    expect(withoutMarks('**2*3** and ***both*** and **a *b* c**')).toBe('2*3 and both and a b c');
    expect(withoutMarks('un*frigging*believable, \\*args\\* and C:\\temp')).toBe(
      'unfriggingbelievable, *args* and C:\\temp',
    );
    expect(withoutMarks('**two\nlines**, and 2*a\n- b*2\n\nx `a\n\nb` **y')).toBe(
      'two\nlines, and 2*a\n- b*2\n\nx `a\n\nb` **y',
    );
    expect(withoutMarks('- item\n    ```js\n\n    a**b**c\n    ```\n  **x**')).toBe(
      '- item\n    ```js\n\n    a**b**c\n    ```\n  x',
    );
  });

  it('costs what it is long', () => {
    const start = workTime();
    for (const text of [
      '*'.repeat(200_000),
      '* '.repeat(100_000),
      '`'.repeat(200_000),
      '***a'.repeat(50_000),
      'a*b '.repeat(50_000),
      '*a **b '.repeat(30_000),
      'a** b*c'.repeat(30_000),
      Array.from({ length: 600 }, (_, i) => '`'.repeat(i)).join(' '),
      '> '.repeat(100_000),
      '\\`'.repeat(100_000),
    ])
      withoutMarks(text);
    expect(workTime() - start).toBeLessThan(8_000);
  });
});

describe('a line of a transcript', () => {
  const at = (drawn: string, line: string, text: string) => {
    const place = findLine(drawn, { line, text });
    return place && [drawn.slice(0, place[0]).split('\n').length, drawn.slice(...place)];
  };

  it('is found in what is drawn of it, without marks and addresses, at the first word that was searched for', () => {
    const drawn = 'Parser\nThe parser is fast\nThe Parser of parser.ts is slow\nThe parser.ts of x';
    expect(at(drawn, '- The **Parser** of [parser.ts](https://a.b/parser.ts) is `slow`', 'slow parser')).toEqual([
      3,
      'Parser',
    ]);
    expect(at(drawn, 'The parser is fast', '(fast')).toEqual([2, 'The parser is fast']);
    expect(at(drawn, 'nothing alike', 'nothing')).toBeUndefined();
  });
});

describe('matches', () => {
  const matches = () =>
    new Matches(
      [
        ['a', 2],
        ['c', 3],
      ],
      false,
    );

  it('go round', () => {
    const all = matches();
    all.stayAt(undefined, 0, []);
    expect(all.current).toEqual({ id: 'a', nth: 0 });
    all.step(-1);
    expect(all.current).toEqual({ id: 'c', nth: 2 });
    all.step(1);
    all.step(1);
    all.step(1);
    expect(all.current).toEqual({ id: 'c', nth: 0 });
  });

  it('begin at the view, or stay where they were', () => {
    const all = matches();
    all.stayAt('b', 0, ['a', 'b', 'c', 'd']);
    expect(all.current).toEqual({ id: 'c', nth: 0 });
    all.stayAt('d', 0, ['a', 'b', 'c', 'd']);
    expect(all.current).toEqual({ id: 'a', nth: 0 });
    all.stayAt('c', 7, ['a', 'b', 'c', 'd']);
    expect(all.current).toEqual({ id: 'c', nth: 2 });
  });

  it('may be none', () => {
    const none = new Matches([], false);
    none.stayAt('a', 0, ['a']);
    none.step(1);
    expect(none.current).toBeUndefined();
  });
});
