import { describe, expect, it } from 'vitest';
import { hostBehind, linkTarget } from '../../../webview/markdown/linkTarget';

describe('links', () => {
  it.each([
    ['https://example.com/a?b#c', { kind: 'web', href: 'https://example.com/a?b#c' }],
    ['HTTP://EXAMPLE.COM', { kind: 'web', href: 'HTTP://EXAMPLE.COM' }],
    ['mailto:a@example.com', { kind: 'web', href: 'mailto:a@example.com' }],
    ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
    ['./a.ts:12', { kind: 'file', path: './a.ts', line: 12 }],
    ['a.ts:12:5', { kind: 'file', path: 'a.ts', line: 12 }],
    ['/abs/a.ts#L7', { kind: 'file', path: '/abs/a.ts', line: 7 }],
    ['a.ts#L7-L20', { kind: 'file', path: 'a.ts', line: 7 }],
    ['a.ts#heading', { kind: 'file', path: 'a.ts' }],
    ['a.ts:10-20', { kind: 'file', path: 'a.ts', line: 10 }],
    ['a.ts:10:2-20:5', { kind: 'file', path: 'a.ts', line: 10 }],
    ['my file.ts:3', { kind: 'file', path: 'my file.ts', line: 3 }],
    ['100%.ts', { kind: 'file', path: '100%.ts' }],
    ['a%23b.ts', { kind: 'file', path: 'a#b.ts' }],
    ['a%23b.ts#L4', { kind: 'file', path: 'a#b.ts', line: 4 }],
    ['src/', { kind: 'file', path: 'src/' }],
    ['~/notes.md#L3', { kind: 'file', path: '~/notes.md', line: 3 }],
    ['../other/a.ts', { kind: 'file', path: '../other/a.ts' }],
    ['c#/a.cs', { kind: 'file', path: 'c#/a.cs' }],
    ['a#b.ts', { kind: 'file', path: 'a#b.ts' }],
    ['docs/a.md#section-1.2', { kind: 'file', path: 'docs/a.md' }],
    ['file:///work/a%23b%20c.ts#L3', { kind: 'file', path: '/work/a#b c.ts', line: 3 }],
    ['b%20c.ts', { kind: 'file', path: 'b c.ts' }],
    ['C:\\d\\e.ts:3', { kind: 'file', path: 'C:\\d\\e.ts', line: 3 }],
    ['c:/d/e.ts', { kind: 'file', path: 'c:/d/e.ts' }],
    ['file:///work/a.ts#L3', { kind: 'file', path: '/work/a.ts', line: 3 }],
    ['file:///c%3A/work/a.ts', { kind: 'file', path: 'c:/work/a.ts' }],
    ['src/a.ts(12,3)', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['src/a.ts (line 12)', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['copy (2)', { kind: 'file', path: 'copy (2)' }],
    ['a.ts:L3', { kind: 'file', path: 'a.ts', line: 3 }],
    ['a.ts:3–5', { kind: 'file', path: 'a.ts', line: 3 }],
    ['a.ts:3,5', { kind: 'file', path: 'a.ts', line: 3 }],
    ['a.ts#L10:L20', { kind: 'file', path: 'a.ts', line: 10 }],
    ['file:/work/a.ts#L3', { kind: 'file', path: '/work/a.ts', line: 3 }],
    ['vscode://file/work/a%20b.ts:12:3', { kind: 'file', path: '/work/a b.ts', line: 12 }],
    ['vscode://file/c:/work/a.ts:12', { kind: 'file', path: 'c:/work/a.ts', line: 12 }],
  ])('%s is followed', (href, target) => {
    expect(linkTarget(href)).toEqual(target);
  });

  it.each([
    '',
    '#anchor',
    '//evil.example/x',
    '\\\\evil.example\\share',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'command:x',
    'vscode://x/y',
    'vscode://file//evil.example/x',
    'vscode://filex/y',
    'file:a.ts',
    'vscode-resource:/etc/passwd',
    'file://host/share',
    'ftp://example.com',
    'blob:x',
    'http://',
    'a:b',
  ])('%j leads nowhere', (href) => {
    expect(linkTarget(href)).toBeUndefined();
  });

  it.each([
    ['https://github.com/login', 'https://evil.example/login', 'evil.example'],
    ['Sign in at https://github.com now', 'https://evil.example/', 'evil.example'],
    ['github.com/login', 'https://evil.example/login', 'evil.example'],
    ['www.github.com', 'https://github.com.evil.example/', 'github.com.evil.example'],
    ['https://\u0430pple.com', 'https://apple.com/', 'apple.com'],
    ['https://github.com', 'https://github.com@evil.example/', 'evil.example'],
    ['Sign in', 'https://github.com@evil.example/', 'evil.example'],
    ['https://github.com:8443', 'https://github.com/', 'github.com'],
    ['https://github.com/login', 'https://github.com/login', undefined],
    ['github.com', 'https://www.github.com/', undefined],
    ['the documentation', 'https://example.com/', undefined],
    ['version 1.2.3', 'https://example.com/', undefined],
    ['me@example.com', 'mailto:me@example.com', undefined],
  ])('%s to %s shows the host %s', (words, href, host) => {
    expect(hostBehind(words, href)).toBe(host);
  });
});
