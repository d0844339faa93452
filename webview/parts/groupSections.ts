/** The number of groups in a section. */
const SIZE = 32;

/**
 * The elements of groups, in sections. The browser visits all children of a box in which a height changes, so thousands
 * of groups in one box cost some milliseconds in each frame.
 */
export class GroupSections {
  constructor(private readonly list: HTMLElement) {}

  clear(): void {
    this.list.replaceChildren();
  }

  /** Adds groups before all others. */
  prepend(elements: readonly HTMLElement[]): void {
    const sections: HTMLElement[] = [];
    for (let i = 0; i < elements.length; i += SIZE) {
      const section = create();
      section.append(...elements.slice(i, i + SIZE));
      sections.push(section);
    }
    this.list.prepend(...sections);
  }

  /**
   * Adds a group after another, or as the first one. Moves none, because a moved element loses its focus and its scroll
   * position.
   */
  addAfter(before: HTMLElement | undefined, element: HTMLElement): void {
    const section = before?.parentElement;
    if (!before || !section) return this.prepend([element]);
    if (section.childElementCount < SIZE) return before.after(element);
    const next = create();
    next.append(element);
    // In the middle of a full section, it begins one within that section.
    (before === section.lastElementChild ? section : before).after(next);
  }

  remove(element: HTMLElement): void {
    let section = element.parentElement;
    element.remove();
    while (section && section !== this.list && !section.hasChildNodes()) {
      const parent: HTMLElement | null = section.parentElement;
      section.remove();
      section = parent;
    }
  }
}

function create(): HTMLElement {
  const section = document.createElement('div');
  section.className = 'entry-section';
  return section;
}
