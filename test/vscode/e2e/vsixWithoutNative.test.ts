import { test } from './harness';
import { runsPackaged } from './packaged';

test('the package without native parts installs, and its demo agent does a turn on pipes', async ({ openWindow }) => {
  await runsPackaged('universal', { hasTerminals: false }, openWindow);
});
