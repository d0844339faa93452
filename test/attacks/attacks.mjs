/**
 * One attack: what was tried, what must hold, and the tests that make it.
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} tried What the attacker does, in one line.
 * @property {string} holds What must be true all the same, in one line.
 * @property {readonly string[]} proofs As in the conformance checklist: `FILE › TITLE`.
 * @property {string} [open] What of it does not hold yet, and why.
 */

/** @param {string} name @param {string} tried @param {string} holds @param {readonly string[]} proofs @param {string} [open] @returns {Attack} */
const attack = (name, tried, holds, proofs, open) => ({ name, tried, holds, proofs, ...(open === undefined ? {} : { open }) });

/** @type {readonly Attack[]} */
export const attacks = [
  attack('many-files', 'A workspace of 200,000 files without git.', 'The panel opens, `@` finds a file, a turn is reviewed and undone.', ['attacks/long/manyFiles › a workspace of 200,000 files']),
  attack('git-under-review', 'Checkout, rebase with a conflict, and stash while changes are pending.', 'Undo takes no line that git or another branch brought.', ['vscode/suite/gitUnderReview › Undo on another branch', 'vscode/suite/gitUnderReview › Undo in a rebase', 'vscode/suite/gitUnderReview › a stash and its return']),
  attack('disguised-links', 'A link whose words name another host than its address, also with a user name or letters of another alphabet.', 'The true host is shown behind the words.', ['unit/webview/links › ', 'webview/markdown › a link whose words name another host']),
  attack('disguised-pages', 'A form asks to open an address with a user name, look-alike letters, a bare number or no encryption.', 'The host is shown, and what could mislead is said in words.', ['unit/host/panel/webPage › ', 'webview/elicitation › 165: says what could make one']),
  attack('password-form', 'A form asks for a password without marking it as one.', 'The field is hidden, kept in no file, and the form says who reads it.', ['unit/acp/decodeElicitation › ', 'webview/elicitation › 163: shows who asks']),
];
