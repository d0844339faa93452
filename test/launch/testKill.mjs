/** `npm run test:kill`: kills the extension host at every step of all that writes, where `npm test` takes some steps. */
process.env['PARLEY_KILL_ALL'] = '1';
process.argv.push('e2e', 'kills');
await import('./test.mjs');
