import { visibleLine } from '../../src/base/visibleText';

/** Tells a user who listens what a user who looks would notice: the end of a turn, a question. */
export class Announcer {
  readonly element: HTMLElement;

  constructor() {
    this.element = document.createElement('div');
    this.element.className = 'visually-hidden';
    this.element.setAttribute('role', 'status');
    this.element.setAttribute('aria-live', 'polite');
  }

  announce(text: string): void {
    // A new node is read also where the words are the same as before.
    const line = document.createElement('div');
    line.textContent = visibleLine(text);
    this.element.replaceChildren(line);
  }
}
