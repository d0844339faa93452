import { request } from 'node:http';
import { join } from 'node:path';
import { until } from '../../launch/poll.mjs';
import { root } from '../../launch/project.mjs';
import type { Workbench } from '../../launch/workbench.mjs';
import { isAlive } from '../../stdio/harness';

/** Lives in the extension host and ends it; to be installed beside Parley. */
export const killer = join(root, 'test/vscode/killer');

/** The extension host of a window, which can be told to end at a step (test/vscode/killer). */
export class MortalHost {
  /** @param socket the variable PARLEY_KILLER of the window's server */
  constructor(
    private readonly workbench: Workbench,
    private readonly socket: string,
  ) {}

  /** Asks the killer. @throws Error where the host is dead or dies meanwhile. */
  ask<T = unknown>(name: string, more: Record<string, unknown> = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: this.socket, method: 'POST' }, async (response) => {
        try {
          let body = '';
          for await (const chunk of response) body += String(chunk);
          const { value, error } = JSON.parse(body) as { value: T; error?: string };
          if (error === undefined) resolve(value);
          else reject(new Error(error));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      call.on('error', reject);
      call.end(JSON.stringify({ name, ...more }));
    });
  }

  /** Runs a command of VS Code in the host. */
  run(command: string, file?: string): Promise<unknown> {
    return this.ask('run', { command, ...(file === undefined ? {} : { uri: file }) });
  }

  /**
   * Does something in the window that the end of the host may interrupt.
   * @throws Error where the host has ended meanwhile
   */
  async whileAlive(work: (isAlive: () => boolean) => Promise<void>): Promise<void> {
    const pid = await this.ask<number>('pid');
    await work(() => isAlive(pid));
    if ((await this.ask('pid')) !== pid) throw new Error('The extension host has ended.');
  }

  /**
   * Does something that is killed at its step `at`, the first of which is 1.
   * @returns all steps where it ended before that; undefined where the host was killed, and runs again.
   */
  async until(at: number, work: () => Promise<unknown>): Promise<readonly string[] | undefined> {
    const pid = await this.ask('pid');
    await this.ask('arm', { at });
    try {
      await work();
      const steps = await this.ask<string[]>('settle');
      // A host that was killed where the work did not look has been followed by another, in which it was done.
      if ((await this.ask('pid')) === pid) return steps;
    } catch (error) {
      if ((await this.ask('pid').catch(() => undefined)) === pid) throw error;
    }
    await this.restarted(pid);
    return undefined;
  }

  /** Sees to it that there is a host: a round that failed may have left none. */
  async alive(): Promise<void> {
    if ((await this.ask('pid').catch(() => undefined)) === undefined) await this.restarted(undefined);
  }

  /** VS Code starts a host that has crashed again by itself, but from the third time on only when told to. */
  private async restarted(before: unknown): Promise<void> {
    const { page } = this.workbench;
    const button = page.getByRole('button', { name: 'Restart Remote Extension Host' });
    // Where the mouse rests on another notification, its hover may cover the button.
    await page.mouse.move(0, 0);
    await until(
      'another extension host',
      async () => {
        if (await button.first().isVisible())
          await button
            .first()
            .click({ timeout: 5_000 })
            .catch(() => undefined);
        const pid = await this.ask('pid').catch(() => undefined);
        return pid !== undefined && pid !== before;
      },
      { interval: 30, timeout: 90_000 },
    );
  }
}
