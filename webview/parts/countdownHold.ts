import type { PanelView } from '../../src/protocol/viewModel';
import type { PartContext } from './context';

/**
 * The countdown stands still while the bar of changes is under the pointer or has the focus. What is so now is looked
 * up rather than remembered: a bar that goes, and a countdown that is stopped under the pointer, send no event.
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
    // While the focus leaves nothing has it; where it goes is in the event.
    const to = event instanceof FocusEvent && event.type === 'focusout' ? event.relatedTarget : document.activeElement;
    const isHeld = bar instanceof Element && (bar.matches(':hover') || (to instanceof Node && bar.contains(to)));
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.context.post({ type: 'keep/hold', held: isHeld });
  }
}
