import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/project.mjs';

/** What an agent has without the editor: a search, a reader, a shell. Each call's answer is what its model gets. */
export class TextTools {
  /** @param {string} folder @param {(answer: string, ms: number) => void} answered */
  constructor(folder, answered) {
    this.folder = folder;
    this.answered = answered;
  }

  /**
   * `grep -rnE` in TypeScript files.
   * @param {string} pattern @param {readonly string[]} [paths] @param {string} [flags]
   */
  grep(pattern, paths = ['src'], flags = '-rnE') {
    return this.#run('grep', [...flags.split(' '), '--include=*.ts', pattern, ...paths]);
  }

  /** Numbered lines, from 1. @param {string} path @param {number} [from] @param {number} [count] */
  read(path, from = 1, count = 2_000) {
    const start = performance.now();
    const lines = readFileSync(join(this.folder, path), 'utf8').split('\n');
    const shown = lines
      .slice(from - 1, from - 1 + count)
      .map((line, at) => `${String(from + at).padStart(6)}\t${line}`);
    return this.#told(shown.join('\n'), start);
  }

  /** A shell command. @param {string} line */
  shell(line) {
    return this.#run('/bin/sh', ['-c', line]);
  }

  /** Changes files. Like the tools of agents, it answers with their names. @param {string} patch */
  applyPatch(patch) {
    const start = performance.now();
    execFileSync('git', ['apply', '--unidiff-zero', '-'], { cwd: this.folder, input: patch });
    const names = [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, name]) => `M ${name}`);
    return this.#told(['Updated these files:', ...names].join('\n'), start);
  }

  /** The project's build, which checks all types. */
  build() {
    return this.#run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--build']);
  }

  /** @param {string} program @param {readonly string[]} args */
  #run(program, args) {
    const start = performance.now();
    const { stdout, stderr } = spawnSync(program, args, {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return this.#told(stdout + stderr, start);
  }

  /** @param {string} answer @param {number} start */
  #told(answer, start) {
    this.answered(answer, performance.now() - start);
    return answer;
  }
}
