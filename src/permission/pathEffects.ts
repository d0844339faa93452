import { commandRisks } from './commandRisks';
import { programOf, type ShellCommand } from './shellCommand';

/** The effect of a command on the contents of its folders. */
export interface PathEffects {
  /** It deletes, moves or copies the contents, or changes their owner. */
  readonly taken: boolean;
  /** It follows the links inside. */
  readonly followed: boolean;
}

const changesAll = /^(mv|move|move-item|mi|ren|rename|rename-item|rni|chmod|chown|chgrp|rsync|zip|robocopy|xcopy)$/;
/** Options that copy whole folders, by program. */
const copies: Readonly<Record<string, RegExp>> = {
  cp: /^(-[A-Za-z]*[rRa]|--(recursive|archive))/,
  scp: /^-[A-Za-z0-9]*r/,
  tar: /^(-?[B-Zabd-qstv-z]*[cruA][A-Za-z]*$|--(create|append|update|catenate|concatenate))/,
  find: /^-(exec|ok)/,
  fd: /^(-[A-Za-z]*[xX]|--exec)/,
};
/** Options that follow links, by program; undefined if the program always follows them. */
const follows: Readonly<Record<string, RegExp | undefined>> = {
  ...{
    scp: undefined,
    zip: undefined,
    cp: /^(-[A-Za-z]*[LH]|--dereference)/,
    tar: /^(-?[A-Za-gi-z]*h[A-Za-z]*$|--dereference)/,
    rsync: /^(-[A-Za-z]*[Lk]|--copy)/,
    chown: /^-[A-Za-z]*[LH]/,
    chgrp: /^-[A-Za-z]*[LH]/,
  },
  ...{
    grep: /^(-[A-Za-z]*R|--dereference)/,
    egrep: /^-[A-Za-z]*R/,
    fgrep: /^-[A-Za-z]*R/,
    rg: /^(-[A-Za-z.]*L|--follow)/,
    ag: /^(-[A-Za-z]*f|--follow)/,
    fd: /^(-[A-Za-z]*L|--follow)/,
    find: /^-([LH]$|follow)/,
    ls: /^-[A-Za-z]*L/,
    du: /^(-[A-Za-z]*[LD]|--dereference)/,
  },
};

/** The effect on files in a folder that a command names, by its program and options. Git leaves its own files alone. */
export function pathEffects(command: ShellCommand): PathEffects {
  const program = programOf(command).replace(/^g(?=find$|tar$)/, '');
  const args = command.words.slice(1).map(({ text }) => text);
  const has = (options: RegExp | undefined) => options !== undefined && args.some((arg) => options.test(arg));
  const deletes =
    program === 'git' ? args.includes('clean') : commandRisks(command).some(({ kind }) => kind === 'deletes');
  return {
    taken: deletes || changesAll.test(program) || (Object.hasOwn(copies, program) && has(copies[program])),
    followed: Object.hasOwn(follows, program) && (follows[program] === undefined || has(follows[program])),
  };
}
