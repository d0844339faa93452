import { describe, expect, it } from 'vitest';
import { webPage } from '../../../../src/host/platform/webPage';

describe('165: a page is shown as the browser will understand it', () => {
  it.each([
    ['https://example.com/a?b=c&d=%26#e', 'https://example.com/a?b=c&d=%26#e', 'example.com', []],
    ['HTTPS://Example.COM:443', 'https://example.com/', 'example.com', []],
    ['http://localhost:1455/auth', 'http://localhost:1455/auth', 'localhost:1455', []],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/', '127.0.0.1:8080', []],
    ['http://example.com/', 'http://example.com/', 'example.com', ['not encrypted']],
    [
      'https://github.com@evil.example/login',
      'https://github.com@evil.example/login',
      'evil.example',
      ['“github.com”'],
    ],
    ['https://evil.example\\@github.com/', 'https://evil.example/@github.com/', 'evil.example', []],
    ['https://аpple.com/', 'https://xn--pple-43d.com/', 'xn--pple-43d.com', ['“аpple.com”']],
    ['https://xn--pple-43d.com/', 'https://xn--pple-43d.com/', 'xn--pple-43d.com', ['“аpple.com”']],
    ['https://example.com/\u202egnp.exe', 'https://example.com/%E2%80%AEgnp.exe', 'example.com', []],
    ['https://exam\tple.com/\n', 'https://example.com/', 'example.com', []],
    ['https://3232235777/', 'https://192.168.1.1/', '192.168.1.1', ['IP address']],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/', '[2001:db8::1]', ['IP address']],
  ])('%j is %j of %j', (raw, url, host, warnings) => {
    const page = webPage('id', raw);
    expect(page).toMatchObject({ elicitationId: 'id', url, host });
    expect(page.warnings).toHaveLength(warnings.length);
    warnings.forEach((words, index) => expect(page.warnings[index]).toContain(words));
  });

  it.each([
    '',
    'example.com',
    '/path',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'command:x',
    'https://',
    'https://a b/',
    `https://a/${'x'.repeat(20_000)}`,
  ])('%j is refused', (raw) => {
    expect(() => webPage('id', raw)).toThrow(expect.objectContaining({ code: -32602 }) as Error);
  });
});
