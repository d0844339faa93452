declare module 'suite-files' {
  /** The suite's test files and how to load them; the build makes this list from the folder. */
  export const suiteFiles: readonly (readonly [name: string, load: () => Promise<unknown>])[];
}
