/** For unions that are closed: the compiler refuses a forgotten case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
