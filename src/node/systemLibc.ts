let own: 'glibc' | 'musl' | undefined;

/** The C library that this process runs with. Only Linux has a choice. */
export function systemLibc(): 'glibc' | 'musl' | undefined {
  if (process.platform !== 'linux') return undefined;
  const report = () => process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return (own ??= report()?.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc');
}
