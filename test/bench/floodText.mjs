/** Mixed Markdown without end, the same on every run: what `/flood` streams. @param {number} count */
export function* floodChunks(count) {
  let produced = 0;
  for (let section = 1; produced < count; section++) {
    for (const chunk of cut(sectionText(section), section)) {
      if (produced++ >= count) return;
      yield chunk;
    }
  }
}

/** The whole text that `floodChunks(count)` yields in pieces. @param {number} count */
export function floodText(count) {
  return [...floodChunks(count)].join('');
}

/**
 * Pieces of 4 to 40 characters, as models send them; the sizes depend on the section only. Never inside a surrogate
 * pair.
 * @param {string} text @param {number} seed
 */
function* cut(text, seed) {
  const characters = [...text];
  let state = seed;
  for (let at = 0; at < characters.length;) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const size = 4 + ((state >> 8) % 37);
    yield characters.slice(at, at + size).join('');
    at += size;
  }
}

const sectionText = (/** @type {number} */ n) => `## Section ${n}: what was found

The parser in \`src/parser${n}.ts\` keeps **two stacks**, and only one of them is *needed*. See [the notes](https://example.com/notes/${n}) and issue #${n * 7}. Names such as “naïve café” and 日本語 stay intact. ✓

- First point of section ${n}, with \`code\` in it
- Second point
  - a nested one, **bold**
- Third point

| Case | Before | After |
|:--|--:|--:|
| empty | ${n % 10} ms | ${n % 3} ms |
| nested | ${(n * 3) % 100} ms | ${n % 7} ms |

\`\`\`${['ts', 'python', 'json', 'rust'][n % 4]}
${codeOf(n)}
\`\`\`

> Remark ${n}: a quotation that runs over
> two lines.

1. Read the file
2. Change the line
3. Run the tests

`;

/** @param {number} n */
function codeOf(n) {
  switch (n % 4) {
    case 0:
      return `export function step${n}(input: string): number {\n  // Counts what is left.\n  return input.length - ${n};\n}`;
    case 1:
      return `def step_${n}(text: str) -> int:\n    """Counts what is left."""\n    return len(text) - ${n}`;
    case 2:
      return `{ "section": ${n}, "ok": true, "names": ["a", "b", null] }`;
    default:
      return `fn step_${n}(text: &str) -> usize {\n    text.len().saturating_sub(${n})\n}`;
  }
}
