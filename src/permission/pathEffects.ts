import { commandRisks } from './commandRisks';
import { programOf, type ShellCommand } from './shellCommand';

/** What a command does with what lies in the folders that it names. */
export interface PathEffects {
  /** It deletes, moves or copies it, or gives it to somebody. */
  readonly taken: boolean;
  /** It follows the links in there. */
  readonly followed: boolean;
}

const changesAll = /^(mv|move|move-item|mi|ren|rename|rename-item|rni|chmod|chown|chgrp|rsync|zip|robocopy|xcopy)$/;
/** By program, the options with which it copies whole folders. */
const copies: Readonly<Record<string, RegExp>> = {
  cp: /^(-[A-Za-z]*[rRa]|--(recursive|archive))/,
  scp: /^-[A-Za-z0-9]*r/,
  tar: /^(-?[B-Zabd-qstv-z]*[cruA][A-Za-z]*$|--(create|append|update|catenate|concatenate))/,
  find: /^-(exec|ok)/,
  fd: /^(-[A-Za-z]*[xX]|--exec)/,
};
/** By program, the options with which it follows links; without any where it does so by itself. */
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

/**
 * What becomes of the files in a folder that a command names, by its program and options. Git leaves its own files
 * alone.
 */
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
