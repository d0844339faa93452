/** To the worker. */
export type ToWorker =
  | { readonly type: 'texts'; readonly texts: readonly (readonly [id: string, text: string])[] }
  | {
      readonly type: 'find';
      readonly run: number;
      readonly source: string;
      readonly flags: string;
      readonly limit: number;
    }
  /** Asks for the positions of matches in a drawn text. */
  | {
      readonly type: 'places';
      readonly run: number;
      readonly id: string;
      readonly text: string;
      readonly source: string;
      readonly flags: string;
      readonly limit: number;
    };

/** From the worker. */
export type FromWorker =
  | { readonly type: 'alive' }
  /** The number of matches of each entry, in the order of the thread; entries without matches are left out. */
  | {
      readonly type: 'found';
      readonly run: number;
      readonly found: readonly (readonly [id: string, count: number])[];
      readonly isCapped: boolean;
    }
  | {
      readonly type: 'places';
      readonly run: number;
      readonly id: string;
      readonly places: readonly (readonly [start: number, end: number])[];
    };

/**
 * Searches, in its own worker: an endless regular expression on a hostile text can only be ended with its thread. The
 * worker is created from this function's text, so it uses nothing from outside.
 */
export function searchWorker(): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<ToWorker>) => void;
    postMessage(message: FromWorker): void;
  };
  const texts = new Map<string, string>();
  const later = new MessageChannel();
  let latest = 0;
  let goOn: () => void = () => {};
  later.port1.onmessage = () => goOn();

  const matches = (text: string, pattern: RegExp, limit: number): (readonly [number, number])[] => {
    const places: (readonly [number, number])[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match && places.length < limit; match = pattern.exec(text)) {
      if (match[0] === '') pattern.lastIndex++;
      else places.push([match.index, match.index + match[0].length]);
    }
    return places;
  };

  const find = (run: number, pattern: RegExp, limit: number): void => {
    const rest = texts.entries();
    const found: [string, number][] = [];
    let total = 0;
    goOn = () => {
      if (run !== latest) return;
      const end = performance.now() + 20;
      while (performance.now() < end && total < limit) {
        const next = rest.next();
        if (next.done) return scope.postMessage({ type: 'found', run, found, isCapped: false });
        const [id, text] = next.value;
        const count = matches(text, pattern, limit - total).length;
        total += count;
        if (count > 0) found.push([id, count]);
      }
      if (total >= limit) return scope.postMessage({ type: 'found', run, found, isCapped: true });
      // Read messages that came meanwhile first.
      scope.postMessage({ type: 'alive' });
      later.port2.postMessage(0);
    };
    goOn();
  };

  scope.onmessage = ({ data }) => {
    if (data.type === 'texts') for (const [id, text] of data.texts) texts.set(id, text);
    else if (data.type === 'find') {
      latest = data.run;
      find(data.run, new RegExp(data.source, data.flags), data.limit);
    } else
      scope.postMessage({
        type: 'places',
        run: data.run,
        id: data.id,
        places: matches(data.text, new RegExp(data.source, data.flags), data.limit),
      });
  };
  scope.postMessage({ type: 'alive' });
}
