import { Lexer, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { BlockSplitter } from '../../../webview/markdown/splitter';
import { ProseTokenizer } from '../../../webview/markdown/proseTokenizer';

/* What people and models write, read as it is meant. */

const lex = (text: string) => new Lexer({ gfm: true, tokenizer: new ProseTokenizer() }).lex(text);

/** Marks what is emphasised: [bold], <italic>, {struck}. */
function marked(tokens: readonly Token[]): string {
  const around: Record<string, [string, string]> = { strong: ['[', ']'], em: ['<', '>'], del: ['{', '}'] };
  return tokens
    .map((token) => {
      const inner =
        'tokens' in token && token.tokens
          ? marked(token.tokens)
          : token.type === 'codespan'
            ? `\`${(token as { text: string }).text}\``
            : 'text' in token
              ? String(token.text)
              : token.raw;
      const [open, close] = around[token.type] ?? ['', ''];
      return open + inner + close;
    })
    .join('');
}

describe('emphasis', () => {
  it.each([
    ['これは**「設定」**の値です。', 'これは[「設定」]の値です。'],
    ['**手順（その一）**を実行します。', '[手順（その一）]を実行します。'],
    ['请先**“保存文件”**再继续。', '请先[“保存文件”]再继续。'],
    ['**不要重启。**等待即可。', '[不要重启。]等待即可。'],
    ['값은 **`main`**입니다.', '값은 [`main`]입니다.'],
    ['**「甲」**なので**「乙」**です。', '[「甲」]なので[「乙」]です。'],
    ['这是*“重点”*，请注意', '这是<“重点”>，请注意'],
    ['***「甲」***です', '<[「甲」]>です'],
    ['~~「旧」~~です', '{「旧」}です'],
    ['**重要：**值是**（默认）**的', '[重要：]值是[（默认）]的'],
    ['使用**[链接](https://a.example)**继续', '使用[链接]继续'],
    ['**甲**、**乙**和**丙**', '[甲]、[乙]和[丙]'],
    ['运行**npm test!**之后', '运行[npm test!]之后'],
    ['**한국어(영어)**는', '[한국어(영어)]는'],
    ['**"설정"**을 여세요.', '["설정"]을 여세요.'],
    ['打开**《指南》**并阅读', '打开[《指南》]并阅读'],
    ['**【重要】**本日', '[【重要】]本日'],
    ['见**`a.ts`。**然后', '见[`a.ts`。]然后'],
    ['**甲\n乙。**丙', '[甲\n乙。]丙'],
    ['*「斜」*体', '<「斜」>体'],
    ['2 * 3 * 4 は **で** す', '2 * 3 * 4 は [で] す'],
    ['计算 3*4*5。', '计算 3*4*5。'],
    ['2**3 and x**2, f(x)**2 and n*2*k', '2**3 and x**2, f(x)**2 and n*2*k'],
    ['**x = 2**3**', '[x = 2**3]'],
    ['plain **bold** and 2**3 and a**b**c', 'plain [bold] and 2**3 and a[b]c'],
    [
      'See __init__.py, src/__tests__/a.ts and pkg.__version__.',
      'See __init__.py, src/__tests__/a.ts and pkg.__version__.',
    ],
    ['if __name__ == "__main__" and __call__()', 'if __name__ == "__main__" and __call__()'],
    ['This is __important__ and __two words__.', 'This is [important] and [two words].'],
    ['a**"b"**c stays as it is', 'a**"b"**c stays as it is'],
  ])('%s', (text, expected) => expect(marked(lex(text))).toBe(expected));
});

describe('a table', () => {
  const cells = (text: string) => (lex(text)[0] as Tokens.Table).rows.map((row) => row.map((cell) => cell.text));

  it.each([
    [
      'splits at a bar in code, as GitHub does, and keeps what is left over',
      '| a | b |\n|---|---|\n| `x | y` | z |',
      [['`x', 'y` | z']],
    ],
    ['does not split at a bar behind a backslash', '| a | b |\n|---|---|\n| `x \\| y` | z |', [['`x | y`', 'z']]],
    ['fills up a short row', '| a | b |\n|---|---|\n| x |', [['x', '']]],
    [
      'keeps a long row',
      'a | b\n--|--\n1 | 2 | 3 | 4\nx | y',
      [
        ['1', '2 | 3 | 4'],
        ['x', 'y'],
      ],
    ],
  ])('%s', (_name, text, expected) => expect(cells(text)).toEqual(expected));
});

describe('a fence in a fence', () => {
  const f3 = '```';
  function pieces(text: string, step: number): string[] {
    const found: string[] = [];
    const splitter = new BlockSplitter({
      block: ({ raw }) => found.push(`text ${JSON.stringify(raw.trim())}`),
      codeOpen: (info) => found.push(`code ${info}: `),
      codeText: (more) => (found[found.length - 1] += more),
      codeClose: () => undefined,
    });
    for (let at = 0; at < text.length; at += step) splitter.push(text.slice(at, at + step));
    splitter.finish();
    return found;
  }

  it.each([
    [
      'of a Markdown file',
      `${f3}markdown\n# T\n\n${f3}bash\nnpm i\n${f3}\n\nend\n${f3}\n\nAFTER`,
      ['code markdown: # T\n\n```bash\nnpm i\n```\n\nend', 'text "AFTER"'],
    ],
    [
      'of two blocks',
      `${f3}md\n${f3}js\n1\n${f3}\n${f3}ts\n2\n${f3}\n${f3}\nAFTER`,
      ['code md: ```js\n1\n```\n```ts\n2\n```', 'text "AFTER"'],
    ],
    [
      'of a file without a name',
      `${f3}\n# T\n${f3}sh\nls\n${f3}\n${f3}\nAFTER`,
      ['code : # T\n```sh\nls\n```', 'text "AFTER"'],
    ],
    [
      'of front matter',
      `${f3}\n---\na: b\n---\n${f3}sh\nls\n${f3}\n${f3}\nAFTER`,
      ['code : ---\na: b\n---\n```sh\nls\n```', 'text "AFTER"'],
    ],
    [
      'of longer inner fences',
      `${f3}md\n${f3}\`js\n1\n${f3}\`\nend\n${f3}\nAFTER`,
      ['code md: ````js\n1\n````\nend', 'text "AFTER"'],
    ],
    ['of tildes', `~~~md\n~~~js\n1\n~~~\nend\n~~~\nAFTER`, ['code md: ~~~js\n1\n~~~\nend', 'text "AFTER"']],
    [
      'without languages, in pairs',
      `${f3}md\nRun:\n${f3}\nls\n${f3}\n${f3}\nAFTER`,
      ['code md: Run:', 'text "ls"', 'code : ', 'text "AFTER"'],
    ],
    [
      'of code, which ends at the first',
      `${f3}js\nconst a = 1;\n${f3}ts\n${f3}\nAFTER`,
      ['code js: const a = 1;\n```ts', 'text "AFTER"'],
    ],
    ['at the end of the text', `${f3}md\n${f3}js\n1\n${f3}\n${f3}`, ['code md: ```js\n1\n```']],
  ])('%s', (_name, text, expected) => {
    for (const step of [1, 7, text.length]) expect(pieces(text, step)).toEqual(expected);
  });

  it('of a Markdown file in a list', () => {
    const item = (lex(`- a\n\n  ${f3}md\n  ${f3}js\n  1\n  ${f3}\n  end\n  ${f3}\n\n  AFTER\n`)[0] as Tokens.List)
      .items[0]!;
    expect(
      item.tokens
        .filter(({ type }) => type !== 'space')
        .map(({ raw, ...token }) => ('text' in token ? token.text : raw)),
    ).toEqual(['a', '```js\n1\n```\nend', 'AFTER']);
  });
});

describe('a link', () => {
  const links = (text: string) =>
    (lex(text)[0] as Tokens.Paragraph).tokens
      .filter((token): token is Tokens.Link => token.type === 'link')
      .map(({ href }) => href);
  it.each([
    ['[a](src/my file.ts)', ['src/my file.ts']],
    ['see [a b](my file.ts:3) and [c](d.ts)', ['my file.ts:3', 'd.ts']],
    ['[a](src/a.ts "Title")', ['src/a.ts']],
    ['[a](an aside in words)', []],
    ['[x] (y z.ts)', []],
    ['见 https://a.example/x），然后', ['https://a.example/x']],
    ['「https://a.example/x?y=1」と https://b.example/。', ['https://a.example/x?y=1', 'https://b.example/']],
    ['www.a.example，还有 m@a.example；', ['http://www.a.example', 'mailto:m@a.example']],
    ['https://zh.example/wiki/中文 和 https://。', ['https://zh.example/wiki/中文']],
    ['“https://a.example/b”', ['https://a.example/b']],
  ])('%s', (text, expected) => expect(links(text)).toEqual(expected));
});
