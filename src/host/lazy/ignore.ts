import ignore from 'ignore';

/** The rules of `.gitignore`, for the listing of files where there is no ripgrep. */
export { ignore };
