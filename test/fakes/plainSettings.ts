/** The part of `vscode.workspace` that says how text becomes bytes: no setting is set, and every file is UTF-8. */
export const plainSettings = {
  getConfiguration: () => ({ get: (_key: string, byDefault: unknown) => byDefault, inspect: () => undefined }),
  getWorkspaceFolder: () => undefined,
  onDidChangeConfiguration: () => ({ dispose: () => undefined }),
  decode: async (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
  encode: async (text: string) => Buffer.from(text),
};
