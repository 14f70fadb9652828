/** A value outside of the components. They show it with `useStore`. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  /** Calls back after each change. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
