import { describe, expect, it } from 'vitest';
import { finalHtml, read } from './markdownPages';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';
import { isLong } from '../fakes/tries';

useHarness();

/** Compares long texts and shows the place where they part, not all of them. */
function expectSame(actual: string, expected: string): void {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at++;
  expect(actual.slice(Math.max(0, at - 120), at + 200)).toBe(expected.slice(Math.max(0, at - 120), at + 200));
}

/** Pseudo-random numbers that are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

function randomDocument(seed: number): string {
  const next = random(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  const kitchen = read('kitchen-sink').split('\n\n');
  const odd = [
    '',
    '---',
    '```',
    '~~~~ts',
    '- ',
    '1. x',
    '   - y',
    '    z',
    '> q',
    '| a | b |\n|---|---|',
    '<div>',
    '<!-- c -->',
    '[r]: https://r.example',
    '[r]',
    '\tt',
    '***b',
    '`c',
    '# ',
  ];
  const parts = Array.from({ length: 6 + Math.floor(next() * 20) }, () => (next() < 0.6 ? pick(kitchen) : pick(odd)));
  return parts.map((part) => part + pick(['\n', '\n\n', '\n\n\n', '\r\n\r\n'])).join('');
}

/** `npm run test:long` makes many, and long ones. */
const [randomDocuments, times] = isLong ? [40, 2] : [1, 0.5];

const documents: Record<string, string> = {
  'everything there is': read('kitchen-sink'),
  'what models write': read('sloppy-model-output'),
  'alerts, footnotes and math': read('what-models-write'),
  'a long list': Array.from(
    { length: 200 * times },
    (_, i) => `${i + 1}. item **${i}** with \`code\` and some more words`,
  ).join('\n'),
  'a long table': `| a | b |\n|---|---|\n${Array.from({ length: 150 * times }, (_, i) => `| row ${i} | \`value ${i}\` and words |`).join('\n')}`,
  'a long paragraph': 'word '.repeat(3600 * times),
  'a long code block': `\`\`\`ts\n${Array.from({ length: 450 * times }, (_, i) => `const value${i} = "text"; // comment`).join('\n')}\n\`\`\`\n\nafter`,
  'code inside of a list': Array.from(
    { length: 40 * times },
    (_, i) => `- item ${i}\n\n  \`\`\`js\n  let a = ${i};\n\n  \`\`\`\n`,
  ).join('\n'),
  ...Object.fromEntries(
    Array.from({ length: randomDocuments }, (_, i) => [`random document ${i}`, randomDocument(i + 1)]),
  ),
};

describe('streamed Markdown ends as it would when shown at once:', () => {
  for (const [name, text] of Object.entries(documents)) {
    it(name, async () => {
      // Tall, so that every page is near and therefore rich. What is taller than the text costs each frame.
      const height = name.startsWith('a long') || name.startsWith('code') ? 15_000 * times : 10_000;
      const whole = await PanelPage.open({ height });
      await whole.show(threadView([agentMessage('a', text)]));
      const expected = await finalHtml(whole);
      const next = random(text.length);
      const streamed = await PanelPage.open({ height });
      await streamed.show(threadView([agentMessage('a', '', true)]));
      for (let at = 0; at < text.length;) {
        // Some frames bring letters, some bring screens.
        const size =
          next() < 0.7 ? 1 + Math.floor(next() * 120) : 1 + Math.floor(next() * Math.max(200, text.length / 6));
        await streamed.patch({ op: 'entry/appendText', id: 'a', part: 0, text: text.slice(at, at + size) });
        at += size;
      }
      await streamed.patch({ op: 'entry/replace', entry: agentMessage('a', text) });
      expectSame(await finalHtml(streamed), expected);
    });
  }
});
