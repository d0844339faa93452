import type { BlockSink, MarkdownBlock } from './splitter';

/** Takes a text that is not Markdown, such as a file or a search result, as one block of code. */
export class PlainSplitter {
  readonly open: MarkdownBlock = { raw: '' };
  #isOpen = false;

  constructor(private readonly sink: BlockSink) {}

  push(text: string): void {
    if (text === '') return;
    if (!this.#isOpen) this.sink.codeOpen('');
    this.#isOpen = true;
    this.sink.codeText(text);
  }

  finish(): void {
    if (this.#isOpen) this.sink.codeClose();
  }
}
