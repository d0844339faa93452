import type { ContentView } from '../../src/protocol/contentView';
import type { EntryId } from '../../src/protocol/entryId';
import type { Deadline } from '../lib/frame';
import { ContentList } from './contentList';
import type { PartContext } from './context';

/** The content below a line that opens. It is built when it is first opened; earlier text is stored. */
export class FoldedContent {
  #id: EntryId = '';
  #content: readonly ContentView[] = [];
  #list: ContentList | undefined;

  /** @param parent of the content while it is open */
  constructor(
    private readonly context: PartContext,
    private readonly parent: HTMLElement,
  ) {}

  get isOpen(): boolean {
    return this.context.ui.isExpanded(this.#id) ?? false;
  }

  /** @param streaming true while the last text may grow */
  update(id: EntryId, content: readonly ContentView[], streaming: boolean): void {
    this.#id = id;
    this.#content = content;
    if (this.isOpen) {
      this.#list ??= new ContentList();
      this.#list.set(content, streaming);
      this.parent.appendChild(this.#list.element);
    } else this.#list?.element.remove();
  }

  append(part: number, text: string): void {
    const content = this.#content.slice();
    const last = content[part];
    content[part] = { type: 'text', text: (last?.type === 'text' ? last.text : '') + text };
    this.#content = content;
    this.#list?.append(part, text);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#list?.draw(deadline, near) ?? false;
  }

  toggle(): void {
    this.context.ui.setExpanded(this.#id, !this.isOpen);
    this.context.redraw(this.#id);
  }
}
