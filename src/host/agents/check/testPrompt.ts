/** The prompt of a check, if the user requests one. */
export const testPrompt = 'This is a connection test. Answer with the one word OK. Use no tools.';

/** The answer to every request of an agent in a check. */
export const testRefusal = 'This is a connection test. Nothing can be read, written or run.';
