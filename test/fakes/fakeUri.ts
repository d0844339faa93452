/** A `file:` URI, as far as unit tests need it. */
export interface FakeUri {
  readonly scheme: string;
  readonly path: string;
  readonly fsPath: string;
  readonly fragment: string;
  with(change: { readonly fragment?: string }): FakeUri;
  toString(): string;
}

/** @param path absolute */
export function uriOf(path: string, fragment = ''): FakeUri {
  return {
    scheme: 'file',
    path,
    fsPath: path,
    fragment,
    with: (change) => uriOf(path, change.fragment ?? fragment),
    toString: () => `file://${path}${fragment === '' ? '' : `#${fragment}`}`,
  };
}
