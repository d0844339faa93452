import type { PanelView } from '../../src/protocol/viewModel';
import type { PartContext } from './context';

/**
 * Pauses the countdown while the bar of changes is under the pointer or has the focus. Both are read each time rather
 * than remembered: a removed bar, and a countdown that is stopped under the pointer, send no event.
 */
export class CountdownHold {
  #isHeld = false;
  #keepsIn: PanelView['keepsIn'];

  constructor(
    private readonly root: HTMLElement,
    private readonly context: Pick<PartContext, 'post'>,
  ) {
    for (const type of ['pointerover', 'pointerout', 'pointerleave', 'focusin', 'focusout'] as const)
      root.addEventListener(type, (event) => this.#look(event));
  }

  /** The bar was drawn. */
  update(keepsIn: PanelView['keepsIn']): void {
    this.#keepsIn = keepsIn;
    this.#look();
  }

  #look(event?: Event): void {
    const bar = this.#keepsIn && this.root.querySelector('.pending-strip');
    // While the focus moves, no element has it; the event has its target.
    const to = event instanceof FocusEvent && event.type === 'focusout' ? event.relatedTarget : document.activeElement;
    const isHeld = bar instanceof Element && (bar.matches(':hover') || (to instanceof Node && bar.contains(to)));
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.context.post({ type: 'keep/hold', held: isHeld });
  }
}
