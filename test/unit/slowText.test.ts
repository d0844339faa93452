import { describe, expect, it } from 'vitest';
import { imageOf } from '../../src/acp/decodeContent';
import { decodeUpdate } from '../../src/acp/decodeUpdate';
import { sniffMediaType } from '../../src/base/mediaType';
import { plainMarkdown } from '../../src/base/oneLine';
import { packageRunner } from '../../src/host/agents/packageRunner';
import { commitMessageIn } from '../../src/host/ask/commitMessage';
import { readReview } from '../../src/host/ask/remarks';
import { isPermissiveMode } from '../../src/thread/permissiveMode';
import { sliceLines } from '../../src/thread/sliceLines';
import { answerMarkdown } from '../../src/view/answerMarkdown';
import { toolBefore } from '../../src/view/callTitle';
import { placesOf } from '../../src/view/places';
import { completeTail } from '../../webview/markdown/completeTail';
import { tableDelimiter } from '../../webview/markdown/lines';
import { hostBehind, linkTarget } from '../../webview/markdown/linkTarget';
import { withTagsAsText } from '../../webview/markdown/tags';
import { workTime } from '../fakes/workTime';

/** Enough that a pattern which tries each way to read it takes minutes. Characters. */
const long = 200_000;

/* Found by `npm run test:long -- patterns`, which looks at the regular expressions themselves. */
describe('a text that a pattern could try to read in many ways', () => {
  it.each<[what: string, read: () => unknown]>([
    ['an address without data', () => imageOf({ type: 'image', data: `data:${'4'.repeat(long)}` })],
    [
      'a title of blanks',
      () => decodeUpdate({ sessionUpdate: 'tool_call', toolCallId: 'a', title: `${'\t'.repeat(long)}u` }),
    ],
    ['comments before a picture', () => sniffMediaType(new TextEncoder().encode('<!---->'.repeat(146)))],
    ['brackets in a title', () => plainMarkdown('([)'.repeat(long / 3))],
    ['backticks in a title', () => plainMarkdown(`a${'`'.repeat(long)}`)],
    ['versions of a package', () => packageRunner('uvx', [`a=0,==${'*,==*,=='.repeat(28)}!`])],
    ['fences around a commit message', () => commitMessageIn('~~~x\n'.repeat(long / 5))],
    ['line breaks before a review', () => readReview(`${'\n'.repeat(long)}x[`, [])],
    [
      'the description of a mode',
      () => isPermissiveMode({ id: 'a', name: 'b', description: 'auto run '.repeat(long / 9) }),
    ],
    ['a file of line breaks', () => sliceLines('\r\n'.repeat(5_000_000), 4_000_000, 10)],
    ['a fence that is no fence', () => answerMarkdown(`~~~${'~'.repeat(long)}\u2028`)],
    ['backticks in an answer', () => answerMarkdown(`a${'`'.repeat(long)}`)],
    ['blanks in a call’s title', () => toolBefore(`a${' '.repeat(19_900)}x {`, { a: 1 })],
    ['blanks in a place', () => placesOf({ path: `/a${' '.repeat(long)}\tb`, line: undefined }, '/')],
    ['braces in a place', () => placesOf({ path: `/${'{'.repeat(long)}${','.repeat(long)}`, line: undefined }, '/')],
    ['brackets at the end of what streams', () => completeTail(`${'['.repeat(long)}] a`)],
    ['a row that is no table’s', () => tableDelimiter(`-|-:${'\t'.repeat(long)}:-`)],
    ['an address of dots', () => linkTarget(`a${'.a'.repeat(long / 2)}:x`)],
    ['words of a link', () => hostBehind(`x.${'#'.repeat(long)}\t.`, 'https://example.com')],
    ['end tags of nothing', () => withTagsAsText('<b>'.repeat(long / 3) + '</i>'.repeat(long / 4))],
    ['blanks in a tag', () => withTagsAsText(`<b${' '.repeat(long)}{>`)],
  ])('%s takes time by its length alone', (_what, read) => {
    const started = workTime();
    read();
    expect(workTime() - started).toBeLessThan(2_000);
  });
});
