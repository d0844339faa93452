/** Words that are the same in every language. */
export const names = new Set(['Parley', 'Parley Demo', 'Git', 'Node', 'Python', 'VS Code', 'Markdown', 'Unicode', 'uv (Python)']);

/** Files whose texts no user reads in the product, and who reads them. */
export const notForUsers: Readonly<Record<string, string>> = {
};
