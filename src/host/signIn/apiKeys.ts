import type * as vscode from 'vscode';

/** The user's keys, by agent and method. They are stored only by VS Code, encrypted if the system supports it. */
export class ApiKeys {
  readonly #usedKeys = new Set<string>();

  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>) {}

  /** Keys that an agent may have learnt since the window opened, stored or not; logs must not contain them. */
  get used(): Iterable<string> {
    return this.#usedKeys;
  }

  async get(agent: string, methodId: string): Promise<string | undefined> {
    return this.use((await this.#of(agent)).get(methodId));
  }

  /** Records a key that an agent gets. @returns the key. */
  use(key: string | undefined): string | undefined {
    if (key) this.#usedKeys.add(key);
    return key;
  }

  async set(agent: string, methodId: string, key: string): Promise<void> {
    await this.#put(agent, new Map(await this.#of(agent)).set(methodId, key));
  }

  async delete(agent: string, methodId: string): Promise<void> {
    const keys = await this.#of(agent);
    if (keys.delete(methodId)) await this.#put(agent, keys);
  }

  /** @returns whether there was one. */
  async forget(agent: string): Promise<boolean> {
    const had = (await this.#of(agent)).size > 0;
    await this.secrets.delete(secretOf(agent));
    return had;
  }

  async #put(agent: string, keys: ReadonlyMap<string, string>): Promise<void> {
    if (keys.size === 0) await this.secrets.delete(secretOf(agent));
    else await this.secrets.store(secretOf(agent), JSON.stringify([...keys]));
  }

  async #of(agent: string): Promise<Map<string, string>> {
    const stored = await this.secrets.get(secretOf(agent));
    try {
      const pairs: unknown = JSON.parse(stored ?? '[]');
      return new Map(
        Array.isArray(pairs)
          ? pairs.filter(
              (pair): pair is [string, string] =>
                Array.isArray(pair) && pair.length === 2 && pair.every((item) => typeof item === 'string'),
            )
          : [],
      );
    } catch {
      return new Map();
    }
  }
}

function secretOf(agent: string): string {
  return `parley.apiKeys.${agent}`;
}
