import { expect, test, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { askOutside } from '../../../../src/host/files/outsideWorkspaceRequest';
import { silentLogger } from '../../../../src/base/log';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';

test('item 140: the request names the file that is meant, and the name that was asked for where it is another', async () => {
  const asked: unknown[] = [];
  const session = new Session('local', new FakeClock(), silentLogger);
  vi.spyOn(session, 'ask').mockImplementation(async ({ title, kind, locations }) => {
    asked.push([title, kind, locations]);
    return 'allow';
  });
  expect(
    await askOutside(
      session,
      { asked: '/work/notes.txt', real: '/home/me/.ssh/authorized_keys', isProtected: false },
      'write',
      neverCancelled,
    ),
  ).toBe(true);
  await askOutside(
    session,
    { asked: '/etc/hostname', real: '/etc/hostname', isProtected: false },
    'read',
    neverCancelled,
  );
  await askOutside(
    session,
    { asked: '/home/me/settings.json', real: '/home/me/settings.json', isProtected: true },
    'write',
    neverCancelled,
  );
  expect(asked).toEqual([
    [
      'Write outside the workspace: /home/me/.ssh/authorized_keys (requested as /work/notes.txt)',
      'edit',
      [{ path: '/home/me/.ssh/authorized_keys' }],
    ],
    ['Read outside the workspace: /etc/hostname', 'read', [{ path: '/etc/hostname' }]],
    [
      'Change settings or data of VS Code or Parley: /home/me/settings.json',
      'edit',
      [{ path: '/home/me/settings.json' }],
    ],
  ]);
});
