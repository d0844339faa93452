/**
 * The words inside marks such as "⟨400 spaces⟩", in English until `translateMarks` in `protocol` replaces them: this
 * layer has no translation.
 */
export const markWords = {
  hidden: (first: string, more: number) => `${first} and ${more} more hidden characters`,
  marks: (count: number) => `${count} more combining marks`,
  emptyLines: (count: number) => `${count} empty lines`,
  blanks: (count: number) => `${count} spaces and tabs`,
  spaces: (count: number) => `${count} spaces`,
};
