import { expect, test } from 'vitest';
import { isDrawableIcon } from '../../../src/registry/drawableIcon';

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"${attributes}>${inner}</svg>`;

test.each([
  ['shapes', svg('<g fill="currentColor"><path d="M0 0h16v16z"/><circle cx="8" cy="8" r="4"/></g>')],
  [
    'a declaration and comments',
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg('<rect width="1" height="1"/><!-- end -->')}`,
  ],
  [
    'a gradient',
    svg(
      '<defs><linearGradient id="a"><stop stop-color="#fff"/></linearGradient></defs><path fill="url(#a)" d="M0 0"/>',
    ),
  ],
  ['a title', svg('<title>A &amp; B</title><path d="M0 0"/>')],
])('%s can be drawn', (_, text) => expect(isDrawableIcon(text)).toBe(true));

test.each([
  ['a script', svg('<script>alert(1)</script>')],
  ['a script in a namespace', svg('<svg:script>alert(1)</svg:script>')],
  ['a handler', svg('<path onload="alert(1)" d="M0 0"/>')],
  ['HTML', svg('<foreignObject><body/></foreignObject>')],
  ['an image', svg('<image href="https://evil.example/x.png"/>')],
  ['a use', svg('<use href="#a"/>')],
  ['an address', svg('<path fill="url(https://evil.example/x)" d="M0 0"/>')],
  ['an address in quotes', svg('<path fill="url(\'https://evil.example/x\')" d="M0 0"/>')],
  ['a link', svg('<a href="https://evil.example"><path d="M0 0"/></a>')],
  ['a style sheet', svg('<style>@import url(https://evil.example)</style>')],
  ['a style', svg('<path style="fill:red" d="M0 0"/>')],
  ['an animation', svg('<animate attributeName="x" values="0;1" repeatCount="indefinite"/>')],
  ['a filter', svg('<filter id="f"><feTurbulence numOctaves="9999"/></filter>')],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('<title>&a;</title>')}`],
  ['an unknown entity', svg('<title>&a;</title>')],
  ['character data', svg('<![CDATA[<script/>]]>')],
  ['an instruction', svg('<?xml-stylesheet href="x.css"?>')],
  ['many references', svg('<path clip-path="url(#a)" d="M0 0"/>'.repeat(17))],
  ['HTML alone', '<html><svg/></html>'],
  ['no picture', 'GIF89a'],
  ['nothing', ''],
  ['too much', svg(`<path d="${'M0 0'.repeat(10_000)}"/>`)],
])('%s is not drawn', (_, text) => expect(isDrawableIcon(text)).toBe(false));
