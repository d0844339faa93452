/** Stands for VS Code's secret storage. `kept` is what is in it. */
export function memorySecrets(kept = new Map<string, string>()) {
  return {
    kept,
    keys: () => Promise.resolve([...kept.keys()]),
    get: (key: string) => Promise.resolve(kept.get(key)),
    store: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
    delete: (key: string) => Promise.resolve(void kept.delete(key)),
  };
}
