/**
 * `npm run test:kill`: kills the extension host at every step of all that writes; `npm test` kills it within one Undo.
 */
process.env['PARLEY_LONG'] = '1';
process.argv.push('e2e', 'kills', 'ownWrites');
await import('./test.mjs');
