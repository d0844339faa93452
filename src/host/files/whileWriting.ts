/** Marks a file as being written by us for as long as `work` runs. */
export async function whileWriting<T>(
  { writing }: { readonly writing: Map<string, number> },
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  writing.set(path, (writing.get(path) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = writing.get(path)! - 1;
    if (left > 0) writing.set(path, left);
    else writing.delete(path);
  }
}
