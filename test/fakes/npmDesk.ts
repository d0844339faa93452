import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { neverCancelled } from '../../src/base/cancellation';
import { AgentStore } from '../../src/node/agentStore';
import { type InstallRequest, installPackage } from '../../src/node/installPackage';
import type { InstallProgress } from '../../src/node/packageManager';
import type { AgentPackage, ManagerName } from '../../src/registry/packageNames';
import { processTag } from '../../src/node/processTag';
import { findManager } from './findManager';

export interface NpmRunRecord {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pids: readonly number[];
}

export const agentPackage: AgentPackage = { manager: 'npm', key: 'npm+agent', name: 'agent', version: '1.0.0' };

/** A PATH with Node and the fake npm, a store, and what npm was given. */
export class NpmDesk {
  readonly base = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-install-'));
  readonly bin = path.join(this.base, 'bin');
  readonly store = new AgentStore(path.join(this.base, 'store'));
  readonly progress: InstallProgress[] = [];
  /** What is installed unless a test says otherwise. */
  readonly package: AgentPackage = agentPackage;
  protected readonly log: string = path.join(this.base, 'manager.log');

  constructor() {
    onTestFinished(() => rmSync(this.base, { recursive: true, force: true }));
    const script = path.join(this.base, 'npm/npm-cli.mjs');
    for (const folder of [this.bin, path.dirname(script), this.store.root]) mkdirSync(folder, { recursive: true });
    copyFileSync(path.join(import.meta.dirname, 'fakeNpm.mjs'), script);
    chmodSync(script, 0o755);
    this.link(script, 'npm');
    this.link(process.execPath, 'node');
  }

  /** Puts a program on the PATH. */
  link(file: string, name: string): void {
    symlinkSync(file, path.join(this.bin, name));
  }

  /** The environment with a plan for the fake npm (see there). */
  env(plan: object = {}): Record<string, string> {
    return { PATH: this.bin, HOME: this.base, FAKE_NPM_LOG: this.log, FAKE_NPM_PLAN: JSON.stringify(plan) };
  }

  /** Installs as the extension does. @param more over what is usual */
  async install(
    plan: object = {},
    more: Partial<InstallRequest> & { readonly env?: Record<string, string> } = {},
  ): Promise<void> {
    const env = { ...this.env(plan), ...more.env };
    const item = more.package ?? this.package;
    const manager = await findManager(item.manager as ManagerName, this.store.root, env);
    await installPackage({
      package: item,
      store: this.store,
      manager,
      token: neverCancelled,
      tree: { mark: processTag },
      onProgress: (step) => this.progress.push(step),
      mayRunScript: () => Promise.resolve(false),
      ...more,
    });
  }

  get runs(): NpmRunRecord[] {
    return existsSync(this.log)
      ? readFileSync(this.log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as NpmRunRecord)
      : [];
  }

  /** Folders of installations that are not finished. */
  get staged(): string[] {
    const folder = path.join(this.store.root, '.staging');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}
