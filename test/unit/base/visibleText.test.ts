import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleCode, visibleLine, visibleProse, visibleText, VisibleStream } from '../../../src/base/visibleText';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

/* Not imported: no module may hold half of a surrogate pair. */
const fixtures = JSON.parse(readFileSync(new URL('../../fixtures/text/hostile.json', import.meta.url), 'utf8')) as {
  readonly hostile: readonly {
    readonly name: string;
    readonly text: string;
    readonly line: string;
    readonly code: string;
  }[];
  readonly ordinary: readonly string[];
  readonly rightToLeft: readonly string[];
  readonly typographic: readonly string[];
};

/* What the function promises, said once more in other words: nothing of these without a neighbour that needs it. */
const neverShown =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffc]|\u17b4|\u17b5|[\u{e0001}-\u{e001f}\u{e01f0}-\u{e0fff}]|\p{Cs}/u;

/** Texts with much of what is hostile, and of what it hides between. */
const characters = fc.oneof(
  fc.constantFrom(
    '\u202e',
    '\u2066',
    '\u2068',
    '\u2069',
    '\u200b',
    '\u200c',
    '\u200d',
    '\ufe0f',
    '\ufe01',
    '\u3164',
    '\u2800',
    '\u00a0',
    '\u3000',
    '\u{e0067}',
    '\u{e007f}',
    '\ud800',
    '\udc00',
    '\u0301',
    '\r',
    '\u2028',
  ),
  fc.constantFrom(
    'a',
    '1',
    ' ',
    '\t',
    '\n',
    '⟨',
    '⟩',
    'א',
    'م',
    'क',
    '\u094d',
    '👩',
    '❤',
    '🏽',
    '🏴',
    '葛',
    '«',
    ':',
    '\u20e3',
  ),
  fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
);
const texts = fc
  .oneof(
    fc.array(characters, { maxLength: 60 }),
    fc.tuple(characters, fc.nat(120)).map(([one, times]) => Array<string>(times).fill(one)),
  )
  .map((parts) => parts.join(''));

const uses = {
  visibleText,
  visibleLine: (text: string) => visibleLine(text),
  visibleCode,
  'visibleLine of 20': (text: string) => visibleLine(text, 20),
};

describe('hostile text', () => {
  it.each(fixtures.hostile)('$name', ({ text, line, code }) => {
    expect(visibleLine(text)).toBe(line);
    expect(visibleCode(text)).toBe(code);
  });

  it.each(Object.entries(uses))('%s leaves nothing hidden, and changes nothing the second time', (_name, visible) => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = visible(text);
        // But for pairs around text that is written from right to left, none of which holds another.
        const bodies = shown
          .replace(/[\u2066\u2068]([^\u2066-\u2069\n]*)\u2069/g, '$1')
          .replace(/(?<=[\]$])\u200b(?=\()/g, '');
        return !neverShown.test(bodies) && visible(shown) === shown;
      }),
      { numRuns: tries(1_000) },
    );
  });

  it.each(['\u202e\u202e a\u3000\u{20000}', 'a👩\u200d👩'])(
    'a line that is cut ends in nothing that only its neighbour justified: %j',
    (text) => {
      for (let limit = 1; limit < 24; limit++) expect(visibleLine(text, limit)).not.toMatch(/[\u3000\u200d]…/);
    },
  );

  it('what was marked as code stays so where it is marked once more as text', () => {
    fc.assert(
      fc.property(texts, (text) => visibleText(visibleCode(text)) === visibleCode(text)),
      { numRuns: tries(1_000) },
    );
  });

  it('a text in pieces has the marks of the whole', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), (pieces) => {
        const stream = new VisibleStream();
        const whole = new VisibleStream();
        const together = whole.push(pieces.join('')) + whole.end();
        return pieces.map((piece) => stream.push(piece)).join('') + stream.end() === together;
      }),
    );
  });

  it.each([
    ['hidden', '\u200b'],
    ['right to left', 'א\u202e'],
    ['blank', ' \t'],
    ['empty', '\n'],
    ['isolated', '\u2068א\u2069'],
    ['piled', '\u0301'],
    ['joined', '👩\u200d'],
    ['halves', '\ud800'],
    ['chopped', 'a\u200b'],
  ])('20,000 times %s takes no time', (_name, unit) => {
    const text = unit.repeat(20_000);
    const start = workTime();
    for (const visible of [visibleText, visibleLine, visibleCode, visibleProse]) visible(text);
    expect(workTime() - start).toBeLessThan(8_000);
  });
});

describe('ordinary text', () => {
  it.each([...fixtures.ordinary, 'const a = {\n\tb: 1,\n\n  c: `x`,\r\n};\n', `${' '.repeat(64)}deep`])(
    '%s',
    (text) => {
      expect(visibleText(text)).toBe(text);
      expect(visibleCode(text)).toBe(text);
      expect(visibleProse(text)).toBe(text);
    },
  );

  it.each(fixtures.rightToLeft)('%s is isolated and has no mark', (text) => {
    expect(visibleLine(text)).toBe(`\u2068${text}\u2069`);
    expect(visibleCode(`a\n${text}\n`)).toBe(`a\n\u2066${text}\u2069\n`);
    expect(visibleProse(text)).toBe(text);
  });

  it.each(fixtures.typographic)('%s keeps its spaces, but in code', (text) => {
    expect(visibleLine(text)).toBe(text);
    expect(visibleCode(text)).toContain('⟨U+');
  });

  it('prose keeps spaces, direction marks and break opportunities, and no message made of them', () => {
    const text = 'one\u00a0two\u200ethree\u200bfour\u00adfive';
    expect(visibleProse(text)).toBe(text);
    expect(visibleProse(`a${'\u200b'.repeat(9)}b\u202ec\u{e0065}`)).toBe('a⟨U+200B × 9⟩b⟨U+202E⟩c⟨U+E0065⟩');
  });

  it('is cut on one line', () => expect(visibleLine('a\n b \u202ec'.repeat(9), 6)).toBe('a b ⟨U…'));
});
