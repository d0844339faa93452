import * as l10n from '@vscode/l10n';

/**
 * The button to the end of the conversation, shown while the user is elsewhere. It makes room for requests, and for
 * buttons at the end of a card or a notice.
 */
export class JumpButton {
  readonly element = document.createElement('button');

  /** @param thread below the button @param jump scrolls to the end */
  constructor(
    private readonly thread: HTMLElement,
    jump: () => void,
  ) {
    this.element.type = 'button';
    this.element.className = 'jump';
    this.element.hidden = true;
    const arrow = document.createElement('span');
    arrow.className = 'codicon codicon-arrow-down';
    arrow.setAttribute('aria-hidden', 'true');
    this.element.append(arrow, l10n.t('Jump to latest'));
    this.element.addEventListener('click', jump);
  }

  show(isShown: boolean): void {
    this.element.hidden = !isShown;
  }

  /** Reads layout. */
  settle(): void {
    if (!this.element.hidden) this.element.classList.toggle('over-card', this.#isOverCard());
  }

  #isOverCard(): boolean {
    const { left, right, top, bottom } = this.element.getBoundingClientRect();
    return [...this.thread.querySelectorAll('.permission, .notice button, .rewound-line, .card-head > .end')].some(
      (card) => {
        const box = card.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      },
    );
  }
}
