/** Shows a state. Called with each state, also with one in which the view is closed. */
export type Draw<State> = (state: State) => void;

/**
 * A view over the thread whose code is loaded when it is first opened. It is hidden until then, so that nothing
 * flickers.
 */
export class LateView<State> {
  readonly element = document.createElement('div');
  #draw: Draw<State> | undefined;
  #isLoading = false;
  #latest: State | undefined;

  /** @param load gets the parent element */
  constructor(
    className: string,
    private readonly isOpen: (state: State) => boolean,
    private readonly load: (element: HTMLElement) => Promise<Draw<State>>,
    private readonly log: (error: unknown) => void,
  ) {
    this.element.className = className;
    this.element.hidden = true;
  }

  update(state: State): void {
    this.#latest = state;
    const isOpen = this.isOpen(state);
    this.element.hidden = !isOpen || !this.#draw;
    if (this.#draw) this.#draw(state);
    else if (isOpen && !this.#isLoading) void this.#start();
  }

  async #start(): Promise<void> {
    this.#isLoading = true;
    try {
      this.#draw = await this.load(this.element);
      if (this.#latest !== undefined) this.update(this.#latest);
    } catch (error) {
      this.log(error);
    } finally {
      this.#isLoading = false;
    }
  }
}
