import type { Turn } from '../turn';
import { findFiles, label } from '../workspace';

/** Streams what Markdown has to offer. */
export async function markdown(turn: Turn): Promise<void> {
  const [path] = await findFiles(turn, 1);
  await turn.say(sample(path ? `[${label(turn, path)}](${encodeURI(label(turn, path))}#L1)` : '`README.md`'));
  await turn.say('### An image\n\n');
  // Streamed whole: a picture cut into tokens would only be noise on the way.
  turn.show({ type: 'text', text: `![Coloured bars](data:image/png;base64,${bars})\n\n` });
  await turn.say('That was all of it.\n');
}

/** Six flat colours as PNG: some hundred bytes of text. */
const bars = [
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAAAwCAIAAACg32BxAAABP0lEQVR4nO3SPW2DMRiF0QAriKzfFgRB0rlzQQRCEHSuiqW77cGS/15b59EFcI',
  'dz+5AO6rb6gNQzoHVUQOuogNZRAa2jAlpHBbQ27uv5kwxo7VFutzigFa5Ku0ArYi18gdbK+toFWvOaYBdojer++ZsMaO1Rbrc4oBWuSrtAK2It',
  'fIHWyvraBVrzmmAXaI3q8XomA1p7lNstDmiFq9Iu0EBHrIUv0ECvrK9doIGe1wS7QAM9qvf7ngxooPcot1sc0ECHq9Iu0EBHrIUv0ECvrK9doI',
  'Ge1wS7QAM9qr/vKxnQQO9Rbrc4oIEOV6VdoIGOWAtfoIFeWV+7QAN9lF2ggR7G97rSAQ30FqALdosDGuhooGvtAg10QNBNfIEGeiHoznaBBnoa',
  '6Bl2gQYaaKCBBhpooIEGGmiggQYaaKCH7x+80EeZMY4ILgAAAABJRU5ErkJggg==',
].join('');

const webLink = '[link to the web](https://agentclientprotocol.com)';
const sample = (fileLink: string) => `## What Markdown looks like here

Text with **bold**, *italic*, ~~struck~~ words, \`inline code\`, a ${webLink} and one to a file: ${fileLink}.

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
