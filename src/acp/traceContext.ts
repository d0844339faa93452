/**
 * W3C trace context for `_meta` of requests (extensibility page: the keys `traceparent`, `tracestate` and `baggage`
 * are reserved for it). One trace id per connection, one span id per request.
 */
export class TraceContext {
  readonly #traceId: string;

  /** @param randomHex gives that many random bytes as lower-case hex; injected because the core has no randomness. */
  constructor(private readonly randomHex: (bytes: number) => string) {
    this.#traceId = randomHex(16);
  }

  /** `_meta` of the next request. */
  next(): { readonly traceparent: string } {
    return { traceparent: `00-${this.#traceId}-${this.randomHex(8)}-01` };
  }
}
