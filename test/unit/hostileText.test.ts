import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** Ways to show a text, the files that may use them, and what makes the text safe there (src/base/visibleText.ts). */
const sinks: readonly {
  readonly what: string;
  readonly folder: string;
  readonly sink: RegExp;
  readonly isSafe?: RegExp;
  readonly allowed?: readonly string[];
}[] = [
  {
    what: 'templates are made with our html',
    folder: 'webview',
    sink: /import \{[^}]*\b(?:html|svg)\b[^}]*\} from 'lit-html'/,
    allowed: ['lib/html.ts', 'composer/contextGauge.ts'],
  },
  {
    what: 'texts and names of elements are marked',
    folder: 'webview',
    sink: /(?:\.(?:textContent|innerText|nodeValue|title|alt|placeholder|ariaLabel)\s*=(?!=)|createTextNode\(|appendData\(|setAttribute\('(?:title|alt|placeholder|aria-label|aria-description)',)/,
    // Marked, our own words, or our own numbers; parts of a text that was marked as a whole.
    isSafe:
      /visible(?:Text|Line|Code|Prose)\(|= '[^']*';|createTextNode\('[^']*'\)|setAttribute\('[\w-]+', '[^']*'\)|\(shown\w*\)|(?:= |, )ownWords[;)]|\? l10n\.t\('[^']*'\) : l10n\.t\('[^']*'\)|(?:= |, )l10n\.t\('[^']*'\)[;)]|statusWords\(status\)|\? '[^']*' : '[^']*'/,
    allowed: ['markdown/morph.ts', 'markdown/highlighter.ts', 'lib/ticker.ts'],
  },
  {
    what: 'the window shows text through markedWindow',
    folder: 'src',
    sink: /vscode\.window\.(?:show(?:Information|Warning|Error)Message|showQuickPick|createQuickPick|showInputBox|createInputBox|createStatusBarItem|createTreeView|createTerminal|setStatusBarMessage|withProgress|createWebviewPanel)\b/,
    allowed: ['host/platform/markedWindow.ts'],
  },
  {
    what: 'trees, badges, decorations and tabs show marked text',
    folder: 'src',
    sink: /\bgetTreeItem\([^)]*\)[^;]*\{$|\.badge = |contentText:|appendCodeblock\(|executeCommand\('vscode\.(?:diff|changes)'/,
    isSafe: /visible(?:Text|Line|Code)\(|getTreeItem/,
  },
];

describe('hostile text', () => {
  it.each(sinks)('$what', ({ folder, sink, isSafe, allowed = [] }) => {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(path.sep, '/'),
    );
    expect(files).toEqual(expect.arrayContaining([...allowed]));
    const found = files
      .filter((name) => name.endsWith('.ts') && !allowed.includes(name))
      .flatMap((name) =>
        readFileSync(path.join(root, folder, name), 'utf8')
          .split('\n')
          .map((line, at) => ({ place: `${folder}/${name}:${at + 1}`, line })),
      )
      .filter(({ line }) => sink.test(line) && !(isSafe?.test(line) ?? false));
    expect(found).toEqual([]);
  });
});
