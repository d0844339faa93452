import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments, parseCommand } from '../../../src/permission/parseCommand';
import { canonicalText, maxCommandLength } from '../../../src/permission/shellCommand';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

/** Where a command may stand; `@` is its place. */
const places = [
  '@',
  'true && @',
  'true || @',
  '@ | cat',
  'cat | @',
  'true; @',
  '@ &',
  ' (@)',
  '{ @; }',
  '! @',
  'time @',
  'echo $(@)',
  'echo "a $(@) b"',
  'echo `@`',
  'cat <(@)',
  'tee >(@)',
  'a=$(@)',
  'a=(x $(@))',
  'a[$(@)]=1',
  'echo ${x:-$(@)}',
  'echo "${x:=$(@)}"',
  'echo ${x/$(@)/y}',
  'echo ${x:$(@)}',
  'echo $(( $(@) + 1 ))',
  'echo ${a[$(@)]}',
  '(( x = $(@) ))',
  '[[ -n $(@) ]]',
  '[[ a == $(@) && b ]]',
  'echo {a,$(@)}',
  'echo x > "$(@)"',
  'cat <<< "$(@)"',
  'cat <<EOF\n$(@)\nEOF',
  'cat <<-EOF\n\t`@`\nEOF',
  'if @; then true; fi',
  'if true; then @; fi',
  'if true; then true; elif @; then true; fi',
  'if true; then true; else @; fi',
  'while @; do true; done',
  'until true; do @; done',
  'for x in $(@); do true; done',
  'for x in a; do @; done',
  'for ((i=0; i<$(@); i++)); do true; done',
  'for ((;;)); do @; done',
  'case $(@) in a) true;; esac',
  'case x in a) @;; esac',
  'select x in a; do @; done',
  'f() { @; }',
  'function f { @; }',
  'coproc @',
  'true\n@\ntrue',
  'true && \\\n@',
  'true # comment\n@',
] as const;
/** Programs that run another. */
const wrappers = [
  'sudo @',
  'sudo -u me @',
  'env A=1 @',
  'nohup @',
  'nice -n 5 @',
  'timeout 5 @',
  'timeout -s KILL 5 @',
  'command @',
  'xargs @',
  'xargs -n 1 @',
  'find . -exec @ \\;',
  'find . -execdir @ +',
  'doas @',
  'stdbuf -o 0 @',
  'setsid @',
  '/usr/bin/env @',
  'exec @',
] as const;

describe('taking commands apart', () => {
  it.each(places)('finds the command in %s', (place) => {
    const parsed = parseCommand(place.replace('@', 'marker --now'), 'bash');
    expect(parsed?.commands.map(canonicalText)).toContain('marker --now');
  });

  it.each(wrappers)('finds what is run by %s', (wrapper) => {
    expect(parseCommand(wrapper.replace('@', 'marker now'), 'bash')?.commands.map(canonicalText)).toContain(
      'marker now',
    );
  });

  it('finds it however deep it is put, or says that it cannot', () => {
    const depth = fc.array(fc.constantFrom(...places.filter((place) => !/[\n`]|^(coproc|time|!) /.test(place))), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(depth, (list) => {
        const parsed = parseCommand(
          list.reduce((text, place) => place.replace('@', () => text), 'marker'),
          'bash',
        );
        if (parsed) expect(parsed.commands.map(canonicalText)).toContain('marker');
      }),
      { numRuns: tries(1_000) },
    );
  });

  it('finds scripts of shells in scripts of shells', () => {
    const quoted = (text: string) => `bash -c '${text.replaceAll("'", "'\\''")}'`;
    expect(parseCommand(quoted(quoted(quoted('ls && marker'))), 'bash')?.commands.map(canonicalText)).toContain(
      'marker',
    );
    expect(parseArguments(['bash', '-lc', quoted('marker')])?.commands.map(canonicalText)).toContain('marker');
  });

  it('gives up rather than following wrappers without end', () => {
    expect(parseCommand(`${'sudo '.repeat(50)}rm x`, 'bash')?.complete).toBe(false);
  });

  it.each(['bash', 'powershell', 'cmd', 'unknown'] as const)('never throws, whatever stands there (%s)', (dialect) => {
    const char = fc.constantFrom(...'ab $(){}[]<>|&;\'"`\\\n*?~=-#!%^@/0'.split(''));
    fc.assert(
      fc.property(fc.array(char, { maxLength: 60 }), (chars) => void parseCommand(chars.join(''), dialect)),
      { numRuns: tries(2_000) },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseCommand(text, dialect)));
    // The first of them also makes the table of all characters, which takes seconds where much else runs.
  });

  it('reads nothing longer than a user would, and nested as deep as may be in bounded time', () => {
    expect(parseCommand(`echo ${'a'.repeat(maxCommandLength)}`, 'bash')).toBeUndefined();
    for (const piece of ['(', '$(', '{ ', 'a && ', '"$(', '<<A\n', '${x:-']) {
      const started = workTime();
      parseCommand(piece.repeat(Math.floor((maxCommandLength - 1) / piece.length)), 'bash');
      expect(workTime() - started).toBeLessThan(10_000);
    }
  });

  it('reads no more words of a program than of a line', () => {
    expect(parseArguments(['git', 'push', '-f'])).toBeDefined();
    expect(parseArguments(['git', 'push', `-${'f'.repeat(maxCommandLength)}`])).toBeUndefined();
  });
});
