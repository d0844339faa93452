/** The rules of `.gitignore`, for the listing of files where there is no ripgrep. */
export { IgnoreRules } from '../disk/ignoreRules';
