/**
 * Views that are made again where they are missing. Memory that is scarce takes them back: a long thread would
 * otherwise be there twice, as state and as what is shown of it.
 */
export class ViewCache<K extends object, V extends object> {
  readonly #views = new WeakMap<K, WeakRef<V>>();

  /** @param make must give the same for the same key, always */
  get(key: K, make: () => V): V {
    const known = this.#views.get(key)?.deref();
    if (known) return known;
    const view = make();
    this.#views.set(key, new WeakRef(view));
    return view;
  }
}
