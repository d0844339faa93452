import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../../base/log';
import { eachEntry } from '../../node/eachEntry';
import { isWindowsName } from '../../node/windowsNames';
import { type Attachment, isMedia, type NewAttachment } from './attachment';

/** How long an attachment is stored, for Retry and for opening it again. Milliseconds. */
const keptFor = 90 * 24 * 60 * 60 * 1000;

/**
 * Pasted, selected or collected content for prompts, as files: one folder for each attachment with a record and the
 * content under a name that a user recognises. They outlive a reload of the window, and are removed after some time.
 */
export class AttachmentStore {
  /** @param folder absolute; created when first needed. */
  constructor(
    private readonly folder: string,
    private readonly log: Logger,
  ) {}

  /** @throws if the disk cannot write it. */
  async save(made: NewAttachment): Promise<Attachment> {
    const { content, fileName = 'attachment.txt', ...fields } = made;
    const stored = content === undefined ? undefined : safeName(fileName);
    const attachment: Attachment = {
      ...fields,
      id: randomUUID(),
      ...(stored === undefined || content === undefined ? {} : { stored, size: Buffer.byteLength(content) }),
    };
    const folder = path.join(this.folder, attachment.id);
    await mkdir(folder, { recursive: true });
    if (stored !== undefined && content !== undefined) await writeFile(path.join(folder, stored), content);
    await writeFile(path.join(folder, recordName), JSON.stringify(attachment));
    return attachment;
  }

  /**
   * The attachments that are still stored, in the order of the ids. Reads small files; called when a draft or a thread
   * is restored.
   */
  load(ids: readonly string[]): Attachment[] {
    return ids.flatMap((id) => {
      try {
        return isId(id) ? [JSON.parse(readFileSync(path.join(this.folder, id, recordName), 'utf8')) as Attachment] : [];
      } catch {
        this.log.info(`Attachment ${id} is not kept any more`);
        return [];
      }
    });
  }

  /** The stored content: text, or base64 of images and sounds. `undefined` if there is none. */
  async content(attachment: Attachment): Promise<string | undefined> {
    const file = this.fileOf(attachment);
    if (file === undefined) return undefined;
    try {
      return await readFile(file, isMedia(attachment) ? 'base64' : 'utf8');
    } catch (error) {
      this.log.warn(`The content of “${attachment.label}” could not be read: ${String(error)}`);
      return undefined;
    }
  }

  /** Path of the kept content. */
  fileOf({ id, stored }: Attachment): string | undefined {
    return stored === undefined ? undefined : path.join(this.folder, id, stored);
  }

  uriOf(attachment: Attachment): string | undefined {
    const file = this.fileOf(attachment);
    return file === undefined ? undefined : pathToFileURL(file).href;
  }

  /** True if a path is in this store, so that the user may open it without a question. */
  holds(file: string): boolean {
    return path.normalize(file).startsWith(this.folder + path.sep);
  }

  async delete(id: string): Promise<void> {
    if (isId(id)) await rm(path.join(this.folder, id), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Removes old attachments that are in no draft. */
  async sweep(now: number, keep: ReadonlySet<string>): Promise<void> {
    await eachEntry(
      readdir(this.folder),
      (reason) => this.log.warn(`An old attachment could not be removed: ${reason}`),
      async (id) => {
        if (keep.has(id) || !isId(id)) return;
        const { mtimeMs } = await stat(path.join(this.folder, id));
        if (now - mtimeMs > keptFor) await this.delete(id);
      },
    );
  }
}

const recordName = 'attachment.json';

/** Ids come from files and messages; none may lead out of the folder. */
function isId(id: string): boolean {
  return /^[0-9a-f-]{36}$/.test(id);
}

/** A name that every file system accepts and that no other file of the folder has. */
function safeName(name: string): string {
  const clean =
    name
      .slice(-80)
      .replace(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^[. ]+|[. ]+$/g, '') || 'attachment';
  // Windows and macOS take names that differ in case for one, and Windows opens a device by its name.
  return clean.toLowerCase() === recordName || !isWindowsName(clean) ? `_${clean}` : clean;
}
