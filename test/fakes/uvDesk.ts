import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { AgentPackage } from '../../src/registry/packageNames';
import { NpmDesk } from './npmDesk';

export const pythonPackage: AgentPackage = { manager: 'uv', key: 'uv+agent', name: 'agent', version: '1.0.0' };

/** A PATH with the fake uv (and the Node that it runs on), a store, and what uv was given. */
export class UvDesk extends NpmDesk {
  override readonly package = pythonPackage;

  constructor() {
    super();
    // No copy: a program whose file is still open for writing, in a process that another test has just forked, cannot
    // be started.
    this.link(path.join(import.meta.dirname, 'fakeUv.mjs'), 'uv');
  }

  /** The environment with a plan for the fake uv (see there). */
  override env(plan: object = {}): Record<string, string> {
    return { PATH: this.bin, HOME: this.base, FAKE_UV_LOG: this.log, FAKE_UV_PLAN: JSON.stringify(plan) };
  }

  /** Folders of environments, used or not. */
  get environments(): string[] {
    const folder = path.join(this.store.root, '.uv');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}
