/* What runs a command and makes text of its output, loaded with the first one. */
export { CommandTerminal } from '../commandTerminal';
