import type { Turn } from '../turn';
import { findFiles, label } from '../workspace';
import { twoVoices } from './images';

/** Streams what Markdown has to offer. */
export async function markdown(turn: Turn): Promise<void> {
  const [path] = await findFiles(turn, 1);
  await turn.say(sample(path ? `[${label(turn, path)}](${encodeURI(label(turn, path))}#L1)` : '`README.md`'));
  await turn.say('### An image\n\n');
  // Streamed whole: a picture cut into tokens would only be noise on the way.
  turn.show({ type: 'text', text: `![Two voices](data:image/png;base64,${twoVoices(240, 80)})\n\n` });
  await turn.say('That was all of it.\n');
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

---

`;
