import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assess, type PathFacts } from '../../../src/permission/assess';
import type { ShellDialect } from '../../../src/permission/shellCommand';
import { subjectOf } from '../../../src/permission/subject';
import { guardMatcher } from '../../../src/changes/guardedFiles';

interface Row {
  readonly shell?: ShellDialect;
  readonly command: string | readonly string[];
  /** Absent where the command is one or cannot be taken apart. */
  readonly steps?: readonly string[];
  readonly risks?: readonly string[];
  /** Why no rule may allow it. */
  readonly asks?: string;
}

const rows = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../fixtures/permission/commands.json'), 'utf8'),
) as Row[];
const existing = new Set(['/work/app/src/index.ts', '/work/app/package.json', '/work/app/.env', '/work/app/leak']);

/** A disk with one folder of a session, in which `leak` is a link out of it. */
async function look(original: string): Promise<PathFacts> {
  const file = path.posix.normalize(original.replace(/^C:/, '').replaceAll('\\', '/'));
  const inside = (file === '/work/app' || file.startsWith('/work/app/')) && file !== '/work/app/leak';
  // `..` are followed on the disk, which here has no link to a folder.
  const outside = original.startsWith('C:') ? path.win32.normalize(original) : file;
  const relative = file.startsWith('/work/app/')
    ? file.slice('/work/app/'.length)
    : file === '/work/app'
      ? '.'
      : outside;
  return {
    inside,
    exists: existing.has(file),
    guarded: guardMatcher(['.env*', '.git/**'])(relative),
    relative,
    real: relative,
  };
}

describe('what a command comes to', () => {
  it('is told of at least 150 commands', () => expect(rows.length).toBeGreaterThanOrEqual(150));

  it.each(
    rows.map((row) => [typeof row.command === 'string' ? row.command : JSON.stringify(row.command), row] as const),
  )('%s', async (_name, row) => {
    const subject = subjectOf({ kind: 'execute', rawInput: { command: row.command } }, undefined);
    const { assessment, mustAsk } = await assess(subject, {
      cwd: !row.shell ? '/work/app' : 'C:\\work\\app',
      home: '/home/me',
      dialect: row.shell ?? 'bash',
      look,
    });
    expect({ steps: assessment.steps, risks: assessment.risks?.map(({ text }) => text), asks: mustAsk }).toEqual({
      steps: row.steps,
      risks: row.risks,
      asks: row.asks,
    });
  });
});
