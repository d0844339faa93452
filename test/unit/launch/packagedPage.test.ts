import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packagedPage, relativeTargets } from '../../launch/packagedPage.mjs';

it.each<[page: string, packaged: string]>([
  ['# A\n\n![Words](media/a.png)\n\nText\n', '# A\n\nText\n'],
  ['Text ![icon](a.png) goes on', 'Text icon goes on'],
  ['![Words](https://example.com/a.png)\n', '![Words](https://example.com/a.png)\n'],
  [
    'See [Agents](docs/agents.md), [here](#here) and [there](https://example.com).',
    'See Agents, [here](#here) and [there](https://example.com).',
  ],
  ['A\n\n<!-- Only in the repository: why. -->\n\n## More\n\n[B](b.md)\n\n<!-- End -->\n\nC\n', 'A\n\nC\n'],
  ['| [Chat](docs/chat.md) | Context |', '| Chat | Context |'],
])('%j is packaged as %j', (page, packaged) => {
  expect(packagedPage(page)).toBe(packaged);
  expect(relativeTargets(packaged)).toEqual([]);
});

it.each(['README.md', 'CHANGELOG.md'])('%s leads nowhere in the package that is not there', (name) => {
  const page = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  expect(relativeTargets(packagedPage(page))).toEqual([]);
});

it('the README ends with its first steps in the package', () => {
  const page = packagedPage(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8'));
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(['Install', 'Start']);
});
