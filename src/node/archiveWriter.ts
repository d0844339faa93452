import * as l10n from '@vscode/l10n';
import { chmod, link, mkdir, open, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { InstallFailure } from './installFailure';
import { isWithin } from './isWithin';
import { isWindowsName } from './windowsNames';

/** The most entries and nested folders of an archive. */
const maxEntries = 100_000;
const maxDepth = 64;
/** The most bytes that an archive may unpack to. */
export const maxUnpacked = 2 * 1024 ** 3;

/**
 * Writes the entries of an archive into a folder, and nothing outside of it. Links are made last, so that nothing is
 * written through one, and each must point to something in the folder.
 */
export class ArchiveWriter {
  readonly #links: { readonly file: string; readonly target: string; readonly name: string }[] = [];
  readonly #files = new Set<string>();
  #entries = 0;
  #bytes = 0;

  /** @param root absolute; empty */
  constructor(private readonly root: string) {}

  async folder(name: string): Promise<void> {
    await mkdir(this.#placeOf(name), { recursive: true });
  }

  /** @param isProgram it may be run */
  async file(name: string, isProgram: boolean, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const file = this.#placeOf(name);
    await mkdir(path.dirname(file), { recursive: true });
    // Refuses a second entry with that name, or with a name that is the same on this disk.
    const handle = await open(file, 'wx', isProgram ? 0o755 : 0o644);
    try {
      for await (const chunk of chunks) {
        this.#bytes += chunk.length;
        if (this.#bytes > maxUnpacked)
          throw refused(l10n.t('The archive unpacks to more than {0} GB.', maxUnpacked / 1024 ** 3));
        await handle.writeFile(chunk);
      }
    } finally {
      await handle.close();
    }
    // The user's mask must not take the run bit away.
    if (isProgram) await chmod(file, 0o755);
    this.#files.add(file);
  }

  /** Notes a symbolic link. */
  symbolicLink(name: string, target: string): void {
    const file = this.#placeOf(name);
    const to = path.resolve(path.dirname(file), target);
    if (
      target === '' ||
      target.includes('\0') ||
      path.isAbsolute(target) ||
      path.win32.isAbsolute(target) ||
      !isWithin(to, this.root)
    )
      throw refused(l10n.t('The link “{0}” points outside the archive.', name));
    this.#links.push({ file, target, name });
  }

  /** Makes one file appear twice. */
  async hardLink(name: string, target: string): Promise<void> {
    const [file, to] = [this.#placeOf(name), this.#placeOf(target)];
    if (!this.#files.has(to)) throw refused(l10n.t('The link “{0}” does not point to a file in the archive.', name));
    await mkdir(path.dirname(file), { recursive: true });
    await link(to, file);
    this.#files.add(file);
  }

  /** Makes the links, and checks their final targets: one may lead on through another. */
  async finish(): Promise<void> {
    const key = (file: string) => file.normalize('NFC').toLowerCase();
    const linked = new Set(this.#links.map(({ file }) => key(file)));
    for (const { file, target, name } of this.#links) {
      // Through another link, this one could be written anywhere.
      for (let above = path.dirname(file); above !== this.root; above = path.dirname(above))
        if (linked.has(key(above))) throw refused(l10n.t('The link “{0}” is inside another link.', name));
      await mkdir(path.dirname(file), { recursive: true });
      await symlink(target, file);
    }
    const root = await realpath(this.root);
    for (const { file, name } of this.#links) {
      const real = await realpath(file).catch(() => undefined);
      if (real === undefined || !isWithin(real, root))
        throw refused(l10n.t('The link “{0}” points outside the archive, or to nothing.', name));
    }
  }

  /** @returns the absolute path of a program of the archive, made executable. @throws InstallFailure */
  async program(name: string): Promise<string> {
    const file = this.#placeOf(name);
    const real = await realpath(file).catch(() => undefined);
    const isFile = real !== undefined && isWithin(real, await realpath(this.root)) && (await stat(real)).isFile();
    if (!isFile)
      throw new InstallFailure({ kind: 'noProgram', output: l10n.t('It has no program named “{0}”.', name) });
    await chmod(real, 0o755);
    return file;
  }

  /** @throws InstallFailure for a name that leads outside, or that is not valid on every system */
  #placeOf(name: string): string {
    if (++this.#entries > maxEntries) throw refused(l10n.t('The archive has more than {0} entries.', maxEntries));
    const parts = name.split('/').filter((part, at) => part !== '.' && (part !== '' || at === 0));
    const isOdd = (part: string) =>
      part === '' || part === '..' || /[\0\\:]/.test(part) || (process.platform === 'win32' && !isWindowsName(part));
    if (parts.length > maxDepth || parts.some((part) => isOdd(part)))
      throw refused(l10n.t('The name “{0}” points outside the archive, or is not allowed.', name.slice(0, 200)));
    return path.join(this.root, ...parts);
  }
}

/** An archive that must not be unpacked. */
export function refused(output: string): InstallFailure {
  return new InstallFailure({ kind: 'archive', output });
}
