/**
 * How binding a rule is: MUST, SHOULD, MAY of the protocol, or a rule of our own that real agents made necessary.
 * @typedef {'M' | 'S' | 'Y' | 'R'} Level
 *
 * One rule that a client keeps, with the tests that prove it.
 * @typedef {object} Item
 * @property {number} number
 * @property {Level} level
 * @property {string} name The rule's short name: `cancel-answers-every-pending-permission`.
 * @property {string} rule What has to hold, in one line.
 * @property {string} source The page of the protocol, the schema, another standard, or `ours`.
 * @property {readonly string[]} proofs Each is `FILE › TITLE`: a test file under `test/` without its ending, and a part
 * of a
 *   test's full name; `FILE` alone is every test of that file.
 * @property {string} [open] What of the rule is not built or not proven, and why. Absent when nothing is left.
 *
 * @typedef {[number: number, level: Level, name: string, rule: string, source: string, proofs: readonly string[],
 * open?: string]} Row
 */

/** Makes items of rows, so that a list reads like a table. @param {Row[]} rows @returns {Item[]} */
export function items(...rows) {
  return rows.map(([number, level, name, rule, source, proofs, open]) => ({
    number,
    level,
    name,
    rule,
    source,
    proofs,
    ...(open === undefined ? {} : { open }),
  }));
}

/** The file of a proof, relative to the project, and what its tests' names have in common. @param {string} proof */
export function proofOf(proof) {
  const [file = '', title = ''] = proof.split(' › ');
  return { file: `test/${file}.test.ts`, title };
}

/** The ring of tests that a file belongs to. @param {string} file relative to the project */
export function ringOf(file) {
  const [, first = '', second = ''] = file.split('/');
  return first === 'vscode' ? (second === 'suite' ? 'host' : second) : first;
}
