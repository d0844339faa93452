import type { EntryView } from '../../src/protocol/entryView';
import type { EntryPart } from '../parts/context';
import type { Deadline } from './frame';

/** Code that is loaded when it is first needed. */
export class LateCode<T> {
  #code: T | undefined;
  #loading: Promise<void> | undefined;

  constructor(private readonly load: () => Promise<T>) {}

  /** @param retry called once the code is loaded, if it is not yet */
  get(retry: () => void, log: (error: unknown) => void): T | undefined {
    if (this.#code === undefined) {
      this.#loading ??= this.load().then((code) => void (this.#code = code));
      this.#loading.then(retry, (error: unknown) => {
        this.#loading = undefined;
        log(error);
      });
    }
    return this.#code;
  }
}

/** A part whose code is loaded on first use. Until then it is empty. */
export class LatePart implements EntryPart {
  readonly element = document.createElement('div');
  #part: EntryPart | undefined;

  /** @param create `undefined` until the code is loaded */
  constructor(private readonly create: (view: EntryView) => EntryPart | undefined) {}

  update(view: EntryView): void {
    this.#part ??= this.create(view);
    if (!this.#part) return;
    this.#part.update(view);
    if (this.element.firstChild !== this.#part.element) this.element.replaceChildren(this.#part.element);
  }

  /** Text that comes before the code is in the view that it then draws. */
  append(part: number, text: string): void {
    this.#part?.append?.(part, text);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#part?.draw?.(deadline, near) ?? false;
  }
}

/** Shows a state. Called with each state, also with one in which the view is closed. */
type Draw<State> = (state: State) => void;

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
