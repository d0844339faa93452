import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { removeFolder, temporaryFolder } from './project.mjs';

const prefix = 'parley-remote-';

/** Makes a user for this process, with an empty home and `/bin/sh` as shell. Only root can. */
export function makeUser() {
  removeForgottenUsers();
  const user = `${prefix}${process.pid}`;
  const home = temporaryFolder('remote');
  execFileSync('useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/sh', '--password', '*', user]);
  const uid = Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
  execFileSync('chown', [`${user}:`, home]);
  return { user, uid, home };
}

/** The processes of a user, whoever started them. @param {number} uid @returns {{ pid: number, command: string }[]} */
export function processesOf(uid) {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (
        !/^\d+$/.test(name) ||
        Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]) !== uid
      )
        return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      // A process that has ended has no command; its parent has not looked yet.
      return command === '' ? [] : [{ pid: Number(name), command }];
    } catch {
      // It ended between the two looks.
      return [];
    }
  });
}

/** The process that started another one. @param {number} pid */
export function parentOf(pid) {
  return Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Signals a process if it is there. @param {number} pid @param {NodeJS.Signals} name */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Ends the processes of a user, and removes the account. @param {string} user @param {number} uid */
export function removeUser(user, uid) {
  // Those that start while others are ended are found by the next look.
  for (let left = processesOf(uid); left.length > 0; left = processesOf(uid))
    for (const { pid } of left) signal(pid, 'SIGKILL');
  execFileSync('userdel', [user]);
}

/** Removes users of runs that were killed. */
function removeForgottenUsers() {
  for (const [, user = '', pid, uid, home = ''] of readFileSync('/etc/passwd', 'utf8').matchAll(
    new RegExp(`^(${prefix}(\\d+)):[^:]*:(\\d+):\\d+:[^:]*:([^:]+):`, 'gm'),
  )) {
    if (existsSync(`/proc/${pid}`)) continue;
    removeUser(user, Number(uid));
    removeFolder(home);
  }
}
