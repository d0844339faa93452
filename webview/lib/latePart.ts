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
