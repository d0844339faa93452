import { test } from './harness';
import { runsPackaged } from './packaged';

test('the package for this platform installs, and its demo agent does a turn', async ({ openWindow }) => {
  await runsPackaged(`${process.platform}-${process.arch}`, { hasTerminals: true }, openWindow);
});
