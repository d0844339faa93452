import { drawPng } from '../png';
import type { Turn } from '../turn';
import { findFiles, label } from '../workspace';

/** Streams what Markdown has to offer. */
export async function markdown(turn: Turn): Promise<void> {
  const [path] = await findFiles(turn, 1);
  await turn.say(sample(path ? `[${label(turn, path)}](${encodeURI(label(turn, path))}#L1)` : '`README.md`'));
  await turn.say('### An image\n\n');
  // Streamed whole: a picture cut into tokens would only be noise on the way.
  turn.show({ type: 'text', text: `![Coloured bars](data:image/png;base64,${bars()})\n\n` });
  await turn.say('That was all of it.\n');
}

/** A few flat colours, so that it is only some hundred bytes of text. */
function bars(): string {
  const colours = [
    [222, 89, 89],
    [222, 160, 89],
    [196, 196, 80],
    [96, 180, 110],
    [80, 140, 220],
    [150, 110, 210],
  ] as const;
  return drawPng(240, 48, (x, y) =>
    y < 48 - (x / 40 + 1) * 6 ? [60, 60, 60] : (colours[Math.floor(x / 40)] ?? colours[0]),
  );
}

const sample = (fileLink: string) => `## What Markdown looks like here

Text with **bold**, *italic*, ~~struck~~ words, \`inline code\`, a [link to the web](https://agentclientprotocol.com) and one to a file: ${fileLink}.

> A quotation. It may say more than one thing,
> and it may have *emphasis*.

### Lists

- A point
  - and a finer one
- Another point

1. First
2. Then

- [x] Done
- [ ] To do

### A table

| Language | Typed | Year |
|:--|:-:|--:|
| TypeScript | yes | 2012 |
| Python | gradually | 1991 |
| Rust | yes | 2015 |

### Code

\`\`\`ts
/** Splits text at blanks, quotes kept together. */
export function tokenize(text: string): string[] {
  return text.match(/"[^"]*"|\\S+/g) ?? [];
}
\`\`\`

\`\`\`python
def tokenize(text: str) -> list[str]:
    """Splits text at blanks."""
    return [word for word in text.split() if word]
\`\`\`

\`\`\`rust
fn tokenize(text: &str) -> Vec<&str> {
    text.split_whitespace().collect() // nothing is copied
}
\`\`\`

\`\`\`json
{ "name": "parley", "agents": ["demo"], "fast": true }
\`\`\`

\`\`\`diff
- return [head, ...tokenize(rest)];
+ while (rest) stack.push(next(rest));
\`\`\`

### A diagram

\`\`\`mermaid
flowchart LR
  text[Text] --> tokenize --> evaluate --> result[Result]
\`\`\`

---

`;
